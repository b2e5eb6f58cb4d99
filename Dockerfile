# docker build -t flyball . && docker run --rm -it flyball demo
FROM maven:3-eclipse-temurin-21 AS build
WORKDIR /src
COPY . .
RUN mvn -B -Dquick -Pdist -pl dist -am -Dmaven.test.skip=true package \
    && mkdir /opt/flyball \
    && tar xzf dist/target/flyball-*.tar.gz -C /opt/flyball --strip-components=1

FROM eclipse-temurin:21-jre
# Reviews of changes ask git.
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home flyball && mkdir /work && chown flyball /work
COPY --from=build /opt/flyball /opt/flyball
RUN ln -s /opt/flyball/bin/flyball /usr/local/bin/flyball
COPY dist/src/healthy.sh /opt/flyball/bin/healthy
USER flyball
WORKDIR /work
# docker run -p 8484:8484 -v flyball:/home/flyball flyball serve --host 0.0.0.0, after flyball keys add NAME in the same volume
EXPOSE 8484
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 CMD ["/opt/flyball/bin/healthy"]
ENTRYPOINT ["flyball"]
CMD ["--help"]
