import Foundation
import TestSupport
import Testing

/// House rules about the scripts and the container file.
struct HouseTests {
  func lines(of file: String) throws -> [String] {
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
    // The C++ library is Swift's own need on a bare system, no system library of the package; of
    // libcurl only the header is needed; those of images are linked by a C target of our own.
    let others = [
      "libstdc++-12-dev", "libcurl4-openssl-dev", "libpng-dev", "libjpeg62-turbo-dev",
    ]
    #expect(try packages("build") == named.union(others))
  }

  /// Both ways: what the program itself asks the loader for, but for what Swift and the C library
  /// bring, is in the packages of the run image, and these hold nothing else.
  @Test func runtimePackagesAreThoseTheProgramLoads() throws {
    let sections = try Program.shell(#"readelf --dynamic --wide "$0""#)
    #expect(sections.status == 0)
    let loaded = sections.output.matches(of: /\(NEEDED\) +Shared library: \[([^\]]+)\]/)
      .map { String($0.1) }
    let swiftsOwn = /(libswift|lib_?Foundation|libdispatch|libBlocksRuntime).*/
    let system = /(libstdc\+\+|libgcc_s|libc|libm|ld-linux.*)\.so\.\d+/
    let libraries = loaded.filter {
      $0.wholeMatch(of: swiftsOwn) == nil && $0.wholeMatch(of: system) == nil
    }
    let expected = [
      "libdnnl.so.2": "libdnnl2", "libarchive.so.13": "libarchive13", "libzstd.so.1": "libzstd1",
      "libz.so.1": "zlib1g", "libpng16.so.16": "libpng16-16", "libjpeg.so.62": "libjpeg62-turbo",
    ]
    #expect(Set(libraries) == Set(expected.keys))
    // Certificates are files that no loader sees.
    #expect(try packages("run") == Set(expected.values).union(["ca-certificates"]))
    for (library, package) in expected {
      let owner = try Program.shell(#"dpkg-query --search "*/$1""#, [library])
      #expect(owner.output.hasPrefix("\(package):"), "\(library)")
    }
  }

  @Test func containerRunsTheProgramAsAnOrdinaryUser() throws {
    let text = try lines(of: "Dockerfile")
    let last = try #require(text.lastIndex { $0.hasPrefix("FROM ") })
    let run = text[last...]
    #expect(run.filter { $0.hasPrefix("USER ") } == ["USER ingot"])
    #expect(run.filter { $0.hasPrefix("ENTRYPOINT ") } == [#"ENTRYPOINT ["ingot"]"#])
    let user = try #require(run.firstIndex(of: "USER ingot"))
    let made = try #require(
      run.firstIndex { $0.hasPrefix("RUN useradd ") && $0.hasSuffix(" ingot") })
    #expect(made < user)
    // Nothing is installed or copied with the rights of that user, and nothing after it as root.
    #expect(!run[user...].contains { $0.hasPrefix("RUN ") || $0.hasPrefix("COPY ") })
  }

  /// So that a change of sources does not fetch the dependencies again.
  @Test func containerResolvesBeforeItCopiesSources() throws {
    let text = try lines(of: "Dockerfile")
    let resolve = try #require(text.firstIndex(of: "RUN swift package resolve"))
    let manifest = try #require(text.firstIndex(of: "COPY Package.swift ./"))
    #expect(manifest < resolve)
    for folder in ["Sources", "Benchmarks", "Tests"] {
      let copy = try #require(text.firstIndex { $0.hasPrefix("COPY \(folder)") })
      #expect(resolve < copy, "\(folder)")
    }
    let build = try #require(text.firstIndex(of: "RUN scripts/build"))
    #expect(resolve < build)
  }

  /// The files with raw memory of targets whose settings do not ask for a mark at every use of it;
  /// those of tests aside.
  private func unmarkedMemory(by manifest: String) throws -> [String] {
    let targets = manifest.split(separator: /\.(?:executableTarget|target)\(/).dropFirst()
    return try targets.flatMap { target -> [String] in
      guard let name = target.firstMatch(of: /name: "([^"]+)"/)?.1,
        target.firstMatch(of: /swiftSettings: (\w+)/)?.1 == "settings"
      else { return [] }
      let folder = target.firstMatch(of: /path: "([^"]+)"/)?.1 ?? "Sources/\(name)"
      if folder.hasPrefix("Tests/") { return [] }
      return try TemporaryFolder.files(below: "\(Program.repository)/\(folder)")
        .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
        .filter {
          try lines(of: $0).contains { $0.contains(/[Uu]nsafe(?!-inline)|^import C[A-Z]/) }
        }
    }
  }

  @Test func targetsWithRawMemoryAreHeldToStrictMemorySafety() throws {
    let manifest = try String(
      contentsOfFile: "\(Program.repository)/Package.swift", encoding: .utf8)
    #expect(try unmarkedMemory(by: manifest) == [])
    let without = manifest.replacing(
      "swiftSettings: memorySettings", with: "swiftSettings: settings")
    let found = try unmarkedMemory(by: without)
    #expect(found.contains("Sources/Formats/Float16Bytes.swift"))
    #expect(found.contains("Sources/Gate/Audit/Rows/RowErrors.swift"))
  }

  /// Folders, seen from the root, that hold more than `limit` Swift files, each with its number.
  private func crowded(_ limit: Int) throws -> [String: Int] {
    let files = try ["Sources", "Tests"].flatMap { top in
      try TemporaryFolder.files(below: "\(Program.repository)/\(top)").map { "\(top)/\($0)" }
    }
    let folders = files.filter { $0.hasSuffix(".swift") }.map {
      $0.split(separator: "/").dropLast().joined(separator: "/")
    }
    return Dictionary(grouping: folders) { $0 }.mapValues(\.count).filter { $0.value > limit }
  }

  @Test func foldersAreReadAtAGlance() throws {
    #expect(try crowded(20) == [:])
    #expect(try crowded(10)["Sources/Formats/MLPackage/Operations"] != nil)
  }

  /// One type runs the sentence: nothing outside the gate's own folder else asks for its verdict.
  @Test func onlyTheProverAsksTheGate() throws {
    let sources = "\(Program.repository)/Sources"
    let asking = try TemporaryFolder.files(below: sources).filter { file in
      guard file.hasSuffix(".swift"), !file.hasPrefix("Gate/") else { return false }
      let code = try lines(of: "Sources/\(file)").filter { !$0.contains(/^ *\/\//) }
        .joined(separator: "\n")
      return code.replacing(/Prover\([^)]*\)\.judge\(/, with: "").contains(/\.judge\b/)
    }
    #expect(asking == ["Proving/Prover.swift"])
  }

  @Test func setupRefusesUnknownArguments() throws {
    let setup = try Program.run(["everything"], program: "\(Program.repository)/scripts/setup")
    #expect(setup.status == 64)
    #expect(
      setup.errors == "error: unknown argument 'everything'; see the head of this file\n")
  }
}
