import Files
import ProjectFixtures
import TestSupport
import Testing

@testable import Project

@Suite struct ProjectReaderTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let faults: [String]
    var testDescription: String { name }

    init(_ name: String, text: String, _ faults: String...) {
      self.init(name, bytes: Array(text.utf8), faults)
    }

    init(_ name: String, bytes: [UInt8], _ faults: [String]) {
      self.name = name
      self.bytes = bytes
      self.faults = faults
    }

    /// The sound contract with some text replaced.
    init(_ name: String, _ old: String, _ new: String, faults: String...) {
      let text = SmallProject.contract
      let range = text.firstRange(of: old)
      let edited = range.map { text[..<$0.lowerBound] + new + text[$0.upperBound...] }
      self.init(name, bytes: Array((edited.map(String.init) ?? "").utf8), faults)
    }
  }

  /// Keys, names, paths and versions.
  static let contracts = [
    Case("sound", "ingot: 1", "ingot: 1"),
    Case("comment with a star", "ingot: 1", "ingot: 1 # the *only* version"),
    Case(
      "newer contract", "ingot: 1", "ingot: 2",
      faults: "1:8: 'ingot' is '2', this version reads contract 1"),
    Case(
      "contract in quotes", "ingot: 1", "ingot: \"1\"",
      faults: "1:8: 'ingot' is '1', this version reads contract 1"),
    Case(
      "no contract", "ingot: 1\n", "",
      faults: "1:1: the project has no key 'ingot', so that nothing else of it is read "
        + "[start the file with 'ingot: 1', if no other file was meant]"),
    Case(
      "an empty contract", "ingot: 1", "ingot:",
      faults: "1:7: 'ingot' is empty [start the file with 'ingot: 1']"),
    Case(
      "misspelt key", "customModels:", "custommodel:",
      faults: "8:1: unknown key 'custommodel' [did you mean 'customModels'?]"),
    Case(
      "unknown key", "customers:", "telemetry: on\ncustomers:",
      faults: "15:1: unknown key 'telemetry' "
        + "[known here: ingot, models, customModels, customers, release]"),
    Case(
      "no source", "source: models/ranker", "# none",
      faults: "5:5: the key 'source' is missing [add 'source', the model's folder or file]"),
    Case(
      "empty source", "source: models/ranker", "source:",
      faults: "4:12: 'source' is empty [add 'source', the model's folder or file]"),
    Case(
      "source as list", "source: models/ranker", "source: [a, b]",
      faults: "4:13: 'source' is a list, expected a text"),
    Case(
      "placeholder in a shared model", "source: models/ranker", "source: models/{flowName}",
      faults: "4:13: 'source' holds a placeholder "
        + "[placeholders are for 'customModels'; a shared model has one source]"),
    Case(
      "misspelt placeholder", "flows/{flowName}", "flows/{flowname}",
      faults: "9:11: 'source': '{flowname}' is no placeholder [did you mean '{flowName}'?]"),
    Case(
      "unknown placeholder", "flows/{flowName}", "flows/{customer}",
      faults: "9:11: 'source': '{customer}' is no placeholder "
        + "[placeholders: {flowName}, {modelVersion}, {flowId}, {appId}]"),
    Case(
      "brace without partner", "flows/{flowName}", "flows/flowName}",
      faults: "9:11: 'source': a brace has no partner "
        + "[placeholders: {flowName}, {modelVersion}, {flowId}, {appId}]"),
    Case(
      "a text with a star", "archive: tar.zst", "author: \"*weights, -*inc\""),
    Case(
      "a star without quotes", "archive: tar.zst", "author: *.inc",
      faults: "19:12: is not YAML: while scanning an alias, "
        + "did not find expected alphabetic or numeric character "
        + "[write a text that starts with '*' in quotes]"),
    Case(
      "author as a number of texts", "archive: tar.zst", "author: [a, b]",
      faults: "19:11: 'author' is a list, expected a text"),
    Case(
      "name of a model", "  ranker:", "  ../ranker:",
      faults: "3:3: '../ranker' cannot name a model "
        + "[at most 64 of A-Z a-z 0-9 . _ -, starting with a letter, a digit or _]"),
    Case(
      "name of a device", "  ranker:", "  Aux.v2:",
      faults: "3:3: 'Aux.v2' cannot be unpacked on Windows "
        + "[choose a name that is none of a device (con, aux, com1) and ends in no dot]"),
    Case(
      "version of two parts", "version: 1.4.0", "version: 1.4",
      faults: "17:12: 'version' is '1.4', expected a version such as 1.4.0 [write it as 1.4.0]"),
    Case(
      "version with a path", "version: 1.4.0", "version: 1.4.0/../x",
      faults: "17:12: 'version' is '1.4.0/../x', expected a version such as 1.4.0"),
    Case(
      "closed range", ">=3.2.0 <5.0.0", ">=3.2.0 <=5.0.0",
      faults: "18:8: 'sdk' is '>=3.2.0 <=5.0.0', "
        + "expected a range such as \">=3.2.0 <5.0.0\""),
    Case(
      "empty range", ">=3.2.0 <5.0.0", ">=5.0.0 <5.0.0",
      faults: "18:8: 'sdk' is '>=5.0.0 <5.0.0', which holds no version "
        + "[the second version is the first that is too new; it must be the greater one]"),
    Case("zip", "archive: tar.zst", "archive: zip"),
    Case(
      "tar.gz", "archive: tar.zst", "archive: tar.gz",
      faults: "19:12: 'archive' is 'tar.gz', expected tar.zst or zip"),
    Case(
      "tar.zstd", "archive: tar.zst", "archive: tar.zstd",
      faults: "19:12: 'archive' is 'tar.zstd', expected tar.zst or zip [did you mean 'tar.zst'?]"),
    Case("signing", "archive: tar.zst", "sign: keys/release"),
    Case(
      "no key", "archive: tar.zst", "sign:",
      faults: "19:8: 'sign' is empty [name a key file, or remove 'sign' to build unsigned]"),
    Case(
      "customers as list", "customers: customers.json", "customers: [a.json]",
      faults: "15:12: 'customers' is a list, expected a text"),
    Case(
      "two faults at once", "source: models/ranker\n    compress: {scheme: int8}",
      "sorce: models/ranker\n    compress: {scheme: int8, bit: 8}",
      faults: "4:5: unknown key 'sorce' [did you mean 'source'?]",
      "4:5: the key 'source' is missing [add 'source', the model's folder or file]",
      "5:30: unknown key 'bit' [did you mean 'bits'?]"),
  ]

  @Test(arguments: texts + contracts + compressions + formats + gates)
  func findsEveryFault(_ item: Case) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("ingot.yaml", item.bytes)
    let log = ContractSection.Log()
    let project = ProjectReader.read(path, log: log)
    log.faults.sort(first: path)
    #expect(lines(log.faults) == item.faults)
    #expect((project == nil) == !item.faults.isEmpty)
    #expect(log.faults.faults.allSatisfy { $0.place.file == path })
  }

  /// A table without rows would pass.
  @Test func thereAreCases() {
    #expect(
      [Self.texts, Self.contracts, Self.compressions, Self.formats, Self.gates].allSatisfy {
        $0.count >= 10
      })
  }

  @Test func refusesLargeFiles() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("ingot.yaml", [UInt8](repeating: 0x20, count: 262_145))
    let log = ContractSection.Log()
    #expect(ProjectReader.read(path, log: log) == nil)
    #expect(
      lines(log.faults) == ["1:1: has 262145 bytes, the limit for such a file is 262144"])
  }

  @Test func namesAMissingFile() throws {
    let faults = ProjectValidator.validate("no/such/project")
    #expect(faults.description == "no/such/project:1:1: cannot open: no such file or directory")
  }
}
