# The build steps are the project's own scripts; dependencies are resolved before the sources are
# copied, so that a change of sources does not fetch them again.
FROM swift:6.3-bookworm AS build
WORKDIR /ingot
COPY scripts/setup scripts/build scripts/
RUN scripts/setup build
COPY Package.swift ./
RUN swift package resolve
COPY Sources Sources
COPY Benchmarks Benchmarks
COPY Tests Tests
RUN scripts/build

FROM debian:bookworm-slim
COPY scripts/setup /tmp/setup
RUN /tmp/setup run && rm -rf /tmp/setup /var/lib/apt/lists/*
COPY --from=build /ingot/.build/release/ingot /usr/local/bin/ingot
RUN useradd --create-home --user-group ingot
USER ingot
WORKDIR /home/ingot
ENTRYPOINT ["ingot"]
