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
USER flyball
WORKDIR /work
ENTRYPOINT ["flyball"]
CMD ["--help"]
