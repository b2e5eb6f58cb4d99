#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#define NAME_MAX_LENGTH 64
#define COPY(to, from) strcpy((to), (from))

struct device {
  char name[NAME_MAX_LENGTH];
  char address[32];
  int port;
  double level;
};

static const char *const states[] = {"idle", "busy", "gone"};

static void trace(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
}

int device_init(struct device *device, const char *name, const char *address) {
  strcpy(device->name, name);
  snprintf(device->address, sizeof device->address, "%s", address);
  device->port = 7000;
  device->level = 0;
  return 0;
}

int device_rename(struct device *device, const char *name) {
  if (strlen(name) >= sizeof device->name) {
    return -1;
  }
  memcpy(device->name, name, strlen(name) + 1);
  return 0;
}

void device_label(const struct device *device, char *out) {
  sprintf(out, "%s at %s", device->name, device->address);
}

void device_state(unsigned state, char out[16]) {
  char text[16] = "state: ";
  strcat(text, states[state % 3]);
  memcpy(out, text, sizeof text);
}

void device_path(const struct device *device, const char *suffix) {
  char path[128] = "/var/run/devices/";
  (strcat)(path, device->name);
  COPY(path + strlen(path), suffix);
  trace("%s\n", path);
}

int device_ask(struct device *device) {
  char line[80];
  printf("name? ");
  if (scanf("%s", line) != 1) {
    return -1;
  }
  if (scanf("%31s", device->address) != 1) {
    return -1;
  }
  strncpy(device->name, line, strlen(line));
  return 0;
}

int device_copy(struct device *to, const struct device *from) {
  strncpy(to->name, from->name, sizeof to->name - 1);
  to->name[sizeof to->name - 1] = '\0';
  strncpy(to->address, from->address, sizeof(to->address));
  return to->port = from->port;
}

void device_log(const struct device *device, const char *message) {
  syslog(LOG_INFO, message);
  syslog(LOG_INFO, "%s: %s", device->name, message);
  fprintf(
      stderr,
      message);
}

void device_complain(const char *reason) {
  char text[256];
  snprintf(text, sizeof text, "refused: %s\n", reason);
  printf(text);
}

int device_reset(const struct device *device) {
  char command[256];
  snprintf(command, sizeof command, "resetctl --device %s", device->name);
  return system(command);
}

int device_list(void) {
  return system("ls /dev/devices");
}

FILE *device_report(const char *tool) {
  return popen(tool, "r");
}

int device_exec(char *const arguments[]) {
  return execvp("resetctl", arguments);
}

int device_remote(const char *host) {
  char line[128] = "ssh ";
  strncat(line, host, sizeof line - strlen(line) - 1);
  return execl("/bin/sh", "sh", "-c", line, (char *)NULL);
}

void device_token(char token[33]) {
  static const char letters[] = "0123456789abcdef";
  srand((unsigned)time(NULL));
  for (int i = 0; i < 32; i++) {
    token[i] = letters[rand() % 16];
  }
  token[32] = '\0';
}

unsigned device_pause(unsigned base) {
  return base + (unsigned)rand() % base;
}

int device_same(const char *a, const char *state) {
  if (state == "busy") {
    return 0;
  }
  return strcmp(a, state) == 0;
}

int device_is(const struct device *device, const char *name) {
  return strcmp(device->name, name) == 1 || !strcmp(device->address, name);
}

int device_level_known(const struct device *device) {
  return device->level != (0.0 / 0.0);
}
