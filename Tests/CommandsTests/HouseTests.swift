import Foundation
import Testing

/// What the house promises about its scripts and its container file.
struct HouseTests {
  private func lines(of file: String) throws -> [String] {
    try String(contentsOfFile: "\(Program.repository)/\(file)", encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  private func packages(_ group: String) throws -> Set<String> {
    let setup = try Program.run(
      ["--list", group], program: "\(Program.repository)/scripts/setup")
    #expect(setup.status == 0)
    return Set(setup.output.split(separator: "\n").map(String.init))
  }

  @Test func containerFileCopiesOnlyWhatExists() throws {
    let copies = try lines(of: "Dockerfile").filter {
      $0.hasPrefix("COPY ") && !$0.contains("--from=")
    }
    #expect(!copies.isEmpty)
    for copy in copies {
      for source in copy.split(separator: " ").dropFirst().dropLast() {
        let path = "\(Program.repository)/\(source)"
        #expect(FileManager.default.fileExists(atPath: path), "\(copy)")
      }
    }
  }

  @Test func containerFileInstallsThroughSetup() throws {
    let text = try lines(of: "Dockerfile")
    #expect(text.contains("RUN scripts/setup build"))
    #expect(text.contains { $0.hasPrefix("RUN /tmp/setup run ") })
    #expect(!text.contains { $0.contains("apt-get install") })
  }

  @Test func packageManifestNamesThePackagesThatSetupInstalls() throws {
    let manifest = try String(
      contentsOfFile: "\(Program.repository)/Package.swift", encoding: .utf8)
    let named = Set(manifest.matches(of: /\.apt\(\["([^"]+)"\]\)/).map { String($0.1) })
    #expect(!named.isEmpty)
    // The C++ library is Swift's own need on a bare system, no system library of the package.
    #expect(try packages("build") == named.union(["libstdc++-12-dev"]))
  }

  @Test func runtimePackagesAreThoseTheProgramLoads() throws {
    let loaded = try Program.run([Program.path], program: "/usr/bin/ldd").output
    for (package, library) in [
      ("libdnnl2", "libdnnl.so.2"), ("libarchive13", "libarchive.so.13"),
      ("libzstd1", "libzstd.so.1"), ("zlib1g", "libz.so.1"),
    ] {
      #expect(loaded.contains(library))
      #expect(try packages("run").contains(package))
    }
  }

  @Test func setupRefusesUnknownArguments() throws {
    let setup = try Program.run(["everything"], program: "\(Program.repository)/scripts/setup")
    #expect(setup.status == 64)
    #expect(
      setup.errors == "error: unknown argument 'everything'; see the head of this file\n")
  }
}
