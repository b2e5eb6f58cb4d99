@echo off
rem Runs the flyball command of the archive that this file is in: a Java 21 or newer is found in JAVA_HOME or on the PATH.
rem FLYBALL_JAVA_OPTS is handed to the JVM after the options below.
setlocal EnableExtensions
set "HOUSE=%~dp0.."
set "JAVA=java"
if defined JAVA_HOME if exist "%JAVA_HOME%\bin\java.exe" set "JAVA=%JAVA_HOME%\bin\java.exe"
"%JAVA%" --list-modules 2>nul | findstr /r "^java.base@2[1-9] ^java.base@[3-9][0-9]" >nul
if errorlevel 1 (
  echo flyball: Java 21 or newer is needed, and none was found. 1>&2
  echo Install one from adoptium.net, or point JAVA_HOME at it. 1>&2
  exit /b 2
)
rem A server runs for long enough to be compiled well; most other commands are over before that would pay.
set "COMPILE=-XX:TieredStopAtLevel=1"
if "%~1"=="serve" set "COMPILE="
"%JAVA%" %COMPILE% -Xlog:disable -Djdk.console=java.base --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -cp "%HOUSE%\lib\*" %FLYBALL_JAVA_OPTS% dev.flyball.cli.Main %*
exit /b %ERRORLEVEL%
