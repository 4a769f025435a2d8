# A container of one file. `make docker-check` proves without a container engine
# that this binary runs in an empty root.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
RUN make static OUT=/out/mrtr-playground VERSION=${VERSION}
RUN mkdir /out/data

FROM scratch
# For calling servers by https.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/mrtr-playground /mrtr-playground
COPY --from=build /src/LICENSE /src/.deploy/THIRD_PARTY_LICENSES /
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
# Whoever reaches a published port has a workspace of their own, and may call the
# servers of the container's network. For strangers, set MRTR_TRUSTED_NETWORK=false,
# MRTR_PUBLIC=true and MRTR_BASE_URL.
ENV MRTR_ADDR=0.0.0.0:2322 MRTR_TRUSTED_NETWORK=true MRTR_DATA=/data TMPDIR=/data
VOLUME /data
EXPOSE 2322
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/mrtr-playground", "health"]
ENTRYPOINT ["/mrtr-playground"]
CMD ["serve"]
