import Foundation
import Testing
import Trees

@testable import Formats

/// coremltools loads what Ingot writes; numpy, Ingot and the library that trained give the same numbers.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["INGOT_TREES_PYTHON"] != nil,
    "no oracle environment: run scripts/test"))
struct TabularOracleTests {
  struct Fact: Decodable, Equatable {
    let kind: String
    let version: Int
    let outputs: [String]
    let texts: [String: String]
    let about: String
  }

  /// Runs the reference interpreter over files of models and rows.
  private static func reference(
    _ items: [(model: [UInt8], rows: String)]
  ) throws -> ([Fact], [[Double]]) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ingot-tabular-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var arguments = [try script()]
    for (number, item) in items.enumerated() {
      let model = folder.appendingPathComponent("\(number).mlmodel")
      try Data(item.model).write(to: model)
      arguments += [model.path, item.rows, folder.appendingPathComponent("\(number).f64").path]
    }
    let process = Process(), output = Pipe()
    process.executableURL = URL(
      fileURLWithPath: try #require(ProcessInfo.processInfo.environment["INGOT_TREES_PYTHON"]))
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "run_tabular_coreml.py failed")
    let results = try items.indices.map {
      try Doubles.read(folder.appendingPathComponent("\($0).f64").path)
    }
    return (try JSONDecoder().decode([Fact].self, from: text), results)
  }

  private static func script() throws -> String {
    let here = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().path
    let root = here.components(separatedBy: "/Tests/FormatsTests/")[0]
    return "\(root)/scripts/oracles/run_tabular_coreml.py"
  }

  /// What the reference interpreter writes of a run: a classifier's label by its place, then scores.
  private static func flat(
    _ program: TabularProgram, _ result: [String: TabularValue]
  ) throws -> [Double] {
    guard let labels = program.labels, let name = program.probabilities else {
      return program.outputs.flatMap { result[$0.name]?.numbers ?? [] }
    }
    switch (labels, result[program.predicted ?? ""], result[name]) {
    case (.texts(let texts), .string(let label), .textDictionary(let scores)):
      return [Double(try #require(texts.firstIndex(of: label)))] + texts.map { scores[$0] ?? .nan }
    case (.integers(let numbers), .int64(let label), .integerDictionary(let scores)):
      return [Double(try #require(numbers.firstIndex(of: label)))]
        + numbers.map { scores[$0] ?? .nan }
    default:
      Issue.record("\(result)")
      return []
    }
  }

  /// - Parameter floor: below it differences count as they are; above, by the number.
  private static func judge(
    _ found: [Double], _ expected: [Double], _ tolerance: Double, floor: Double = 1, _ words: String
  ) {
    #expect(found.count == expected.count && !expected.isEmpty, "\(words)")
    let worst = zip(found, expected).map { abs($0 - $1) / max(floor, abs($1)) }
      .reduce(0) { $0.isNaN || $1 <= $0 ? $0 : $1 }
    #expect(worst <= tolerance, "\(words)")
  }

  @Test func coremltoolsLoadsEveryKind() throws {
    let rows = FileManager.default.temporaryDirectory
      .appendingPathComponent("ingot-rows-\(UUID().uuidString).json").path
    defer { try? FileManager.default.removeItem(atPath: rows) }
    // Values that suit inputs of any kind by name are not to be had in one file: no rows, only loading.
    try Data("[]".utf8).write(to: URL(fileURLWithPath: rows))
    let programs = try TabularFixtures.all()
    let (facts, _) = try Self.reference(try programs.map { (try $0.serialized(), rows) })
    #expect(facts.map(\.kind) == programs.map(\.step.word))
    #expect(facts.map(\.version) == programs.map { _ in 1 })
    #expect(facts.map(\.outputs) == programs.map { $0.outputs.map(\.name) })
    #expect(facts[0].texts == ["battery": "Charge, 0 to 1"])
    #expect(facts[0].about == "Minutes")
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["INGOT_COREML_TABLES"] != nil,
      "no conversions by coremltools: run scripts/test"))
  func librariesAndBothConversionsAgree() throws {
    let cases = try TabularCase.all()
    try #require(cases.count >= 20)
    let ours = try cases.map { try $0.ours() }
    let items =
      try zip(cases, ours).map { (try $1.serialized(), $0.rowsPath) }
      + cases.map { (try $0.theirs(), $0.rowsPath) }
    let (_, results) = try Self.reference(items)
    for (number, item) in cases.enumerated() {
      let expected = try item.expected()
      let (mine, theirs) = (results[number], results[cases.count + number])
      let width = expected.count / item.about.rows
      let scaled = theirs.enumerated().map {
        $0.offset % width == 0 ? $0.element : $0.element / item.about.theirScale
      }
      // XGBoost's own numbers are rounded to 32 bits where they are near 0 or 1.
      Self.judge(
        mine, expected, item.about.tolerance,
        floor: item.about.library.hasPrefix("xgboost") ? 1 : 1e-9,
        "\(item.name): ours and the library")
      Self.judge(mine, scaled, item.about.tolerance, "\(item.name): ours and coremltools")
      // What was read back, of both conversions, is run in Swift.
      for (bytes, numbers) in [(items[number].0, mine), (items[cases.count + number].0, theirs)] {
        let program = try TabularProgram(reading: bytes, path: item.name)
        let run = try item.rows(for: program).flatMap {
          try Self.flat(program, try program.run($0, path: item.name))
        }
        Self.judge(run, numbers, 1e-12, "\(item.name): numpy and Swift")
      }
    }
  }

  /// Changed bytes of files that coremltools wrote: an error, or a sound program.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["INGOT_COREML_TABLES"] != nil,
      "no conversions by coremltools: run scripts/test"))
  func noMutantOfRealFilesCrashes() throws {
    for item in try TabularCase.all() {
      let bytes = try item.theirs()
      let read = try TabularProgram(reading: bytes, path: item.name)
      #expect(
        try TabularProgram(reading: try read.serialized(), path: item.name) == read
          || "\(read)".contains("nan"))
      for seed in 0..<60 {
        var changed = bytes
        let place = (seed * 7919 + 13) * 104_729 % bytes.count
        switch seed % 3 {
        case 0: changed[place] ^= UInt8(1 << (seed % 8))
        case 1: changed.removeSubrange(place..<min(bytes.count, place + 1 + seed % 9))
        default: changed.removeLast(bytes.count - place)
        }
        if let program = try? TabularProgram(reading: changed, path: "a") {
          _ = try program.serialized()
        }
      }
    }
  }
}
