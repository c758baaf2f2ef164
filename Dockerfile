# The image holds one static binary and BusyBox, whose wget asks for /livez. It runs as nobody in particular and
# writes to /data alone: the database where there is no PostgreSQL, records that one does not take for a while, and
# what an instance without Redis or without an explicit secret keeps.
FROM golang:1.26-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /smsd ./cmd/smsd \
 && mkdir /data

FROM alpine:3.22
COPY --from=build /smsd /usr/local/bin/smsd
COPY --from=build --chown=10001:10001 /data /data
USER 10001:10001
VOLUME /data
# The operators' API stays on the container's own loopback until SMSD_ADMIN_LISTEN and SMSD_ADMIN_TOKEN open it.
ENV SMSD_HTTP_LISTEN=:8080 SMSD_DATA_DIR=/data
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD wget -q -O /dev/null http://127.0.0.1:8080/livez || exit 1
# A drain takes up to 15 s: give it more than Docker's 10 s (docker stop -t 20).
STOPSIGNAL SIGTERM
ENTRYPOINT ["smsd"]
CMD ["serve"]
