import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Packaging

@Suite struct ManifestTests {
  private func text() throws -> String {
    String(decoding: try Tarball().entries[0].content, as: UTF8.self)
  }

  @Test func readsBackWhatItWrites() throws {
    let manifest = try Tarball().manifest
    #expect(try Manifest(manifest.bytes, origin: "m") == manifest)
    #expect(manifest.models.map(\.identity.name) == ["encoder", "onboarding_upsell"])
    #expect(manifest.build.time.description == "2026-11-21T00:00:00Z")
  }

  @Test func isCompactSortedASCII() throws {
    let bytes = try Tarball().manifest.bytes
    #expect(bytes.allSatisfy { (0x20..<0x7F) ~= $0 })
    #expect(bytes.starts(with: Array(#"{"app":{"appId":"c2d67cdb-"#.utf8)))
  }

  @Test func escapesWhatIsNotASCII() throws {
    let bytes = CanonicalJSON.bytes(of: ["a": .string("é😀\u{7F}")])
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":"\u00e9\ud83d\ude00\u007f"}"#)
    #expect(try JSONParser.parseObject(bytes, origin: "x").string("a") == "é😀\u{7F}")
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let old: String
    let new: String
    let fault: String
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "newer schema", old: #""schema":1"#, new: #""schema":2"#,
      fault: "m:1:1: 'schema' is 2, this version reads 1"),
    Case(
      name: "unknown key", old: #""schema":1"#, new: #""schema":1,"x":0"#,
      fault: "m:1:#: unknown key 'x'; known here: schema, app, package, compatibility, models, "
        + "files, totals, licenses, build"),
    Case(
      name: "upper-case app id", old: "c2d67cdb", new: "C2d67cdb",
      fault: "m:1:1: 'appId' is 'C2d67cdb-e117-4c3e-acca-2ae7f1a42210', "
        + "expected a UUID in lower case"),
    Case(
      name: "no bundle identifier", old: #"["com.customer.app"]"#, new: "[]",
      fault: "m:1:1: 'bundleIdentifiers' is '', expected at least one name, each once"),
    Case(
      name: "two equal bundle identifiers", old: #"["com.customer.app"]"#,
      new: #"["com.customer.app","com.customer.app"]"#,
      fault: "m:1:1: 'bundleIdentifiers' is 'com.customer.app com.customer.app', "
        + "expected at least one name, each once"),
    Case(
      name: "version of two parts", old: #""version":"1.4.0""#, new: #""version":"1.4""#,
      fault: "m:1:#: 'version' is '1.4', expected a version such as 1.4.0"),
    Case(
      name: "time of another day", old: "2026-11-21T", new: "2026-11-22T",
      fault: "m:1:#: 'createdAt' is not the time of 'sourceDateEpoch'"),
    Case(
      name: "empty SDK range", old: #""belowSDK":"5.0.0""#, new: #""belowSDK":"3.2.0""#,
      fault: "m:1:1: 'belowSDK' is '3.2.0', expected a version after 3.2.0"),
    Case(
      name: "failed gate", old: #""passed":true"#, new: #""passed":false"#,
      fault: "m:1:#: 'passed' is false: no package holds such a model"),
    Case(
      name: "metric as a number", old: #""flips":"0""#, new: #""flips":0"#,
      fault: "m:1:#: 'flips' is the number 0, expected a string"),
    Case(
      name: "metric with an exponent", old: #""flips":"0""#, new: #""flips":"0e1""#,
      fault: "m:1:#: 'flips' is '0e1', expected a decimal number"),
    Case(
      name: "path upwards", old: #""path":"models/encoder/model.safetensors","role""#,
      new: #""path":"../encoder/model.safetensors","role""#,
      fault: "m:1:#: 'path': '../encoder/model.safetensors' is not a path a package may hold: "
        + "each part must match [A-Za-z0-9_][A-Za-z0-9._-]*"),
    Case(
      name: "file of no model", old: #""path":"models/encoder/model.safetensors","role""#,
      new: #""path":"models/encoder/other.safetensors","role""#,
      fault: "m:1:1: 'models/encoder/model.safetensors' is not a file of its own with role "
        + "'model'"),
    Case(
      name: "another name", old: #""name":"com.customer.app.models""#,
      new: #""name":"com.other.app.models""#,
      fault: "m:1:#: 'name' is 'com.other.app.models', expected com.customer.app.models"),
    Case(
      name: "path of another model", old: #""path":"models/encoder/model.safetensors"}"#,
      new: #""path":"models/onboarding_upsell/model.safetensors"}"#,
      fault: "m:1:1: 'models' is not sorted at 'models/onboarding_upsell/model.safetensors'"),
    Case(
      name: "size of the compressed model", old: #""compression":{"bytes":"#,
      new: #""compression":{"bytes":1"#,
      fault: "m:1:1: 'bytes' of model 'encoder' is not the size of its file"),
    Case(
      name: "input that belongs to no model", old: #""name":"encoder/references""#,
      new: #""name":"encoder/reference""#,
      fault: "m:1:1: the inputs of 'build' are not those of the models"),
    Case(
      name: "name of another model", old: #""name":"encoder","outputs""#,
      new: #""name":"encodes","outputs""#,
      fault: "m:1:1: the paths of model 'encodes' are not those of its name"),
    Case(
      name: "receipt as model", old: #""role":"receipt""#, new: #""role":"model""#,
      fault: "m:1:1: 'receipts/encoder.json' is not a file of its own with role 'receipt'"),
    Case(
      name: "no bill of materials", old: #""role":"sbom""#, new: #""role":"receipt""#,
      fault: "m:1:1: exactly one file has the role 'sbom', which is 'sbom.cdx.json'"),
    Case(
      name: "two bills of materials", old: #""role":"receipt""#, new: #""role":"sbom""#,
      fault: "m:1:1: 'receipts/encoder.json' is not a file of its own with role 'receipt'"),
    Case(
      name: "bill of materials elsewhere", old: #""path":"sbom.cdx.json""#,
      new: #""path":"sbom.json""#,
      fault: "m:1:1: exactly one file has the role 'sbom', which is 'sbom.cdx.json'"),
    Case(
      name: "option of digits", old: #""scheme":"int8""#, new: #""sch3me":"int8""#,
      fault: "m:1:#: 'sch3me' is not an option's name"),
    Case(
      name: "option that is no text", old: #""scheme":"int8""#, new: #""scheme":8"#,
      fault: "m:1:#: 'scheme' is the number 8, expected a string"),
    Case(
      name: "threshold with an exponent", old: #""flowId":8362"#,
      new: #""decision":{"threshold":"5e-1"},"flowId":8362"#,
      fault: "m:1:#: 'threshold' is '5e-1', expected a decimal number"),
    Case(
      name: "licence that is none", old: #""models":["#,
      new: #""licenses":[{"spdx":"Apache 2"}],"models":["#,
      fault: "m:1:#: 'spdx' is 'Apache 2', expected identifiers in order, each once"),
    Case(
      name: "licences out of order", old: #""models":["#,
      new: #""licenses":[{"spdx":"MIT"},{"spdx":"ISC"}],"models":["#,
      fault: "m:1:#: 'spdx' is 'ISC', expected identifiers in order, each once"),
    Case(
      name: "total too small", old: #""installedBytes":"#, new: #""installedBytes":1"#,
      fault: "m:1:#: 'installedBytes' is #, the files make #"),
    Case(
      name: "count of files", old: #""totals":{"files":5"#, new: #""totals":{"files":6"#,
      fault: "m:1:#: 'files' is 6, the manifest lists 5"),
    Case(
      name: "short digest", old: #""sha256":""#, new: #""sha256":"0"#,
      fault: "m:1:#: 'sha256' is not 64 lower-case hexadecimal digits"),
    Case(
      name: "another tool", old: #""tool":"ingot""#, new: #""tool":"lead""#,
      fault: "m:1:#: 'tool' is 'lead', expected ingot"),
    Case(
      name: "time after ustar", old: #""sourceDateEpoch":1795219200"#,
      new: #""sourceDateEpoch":8589934592"#,
      fault: "m:1:#: 'sourceDateEpoch' is the number 8589934592, expected 0...8589934591"),
    Case(
      name: "unknown format", old: #""format":"safetensors""#, new: #""format":"pickle""#,
      fault: "m:1:#: 'format' is 'pickle', expected safetensors or mlpackage or mlmodel"),
    Case(
      name: "name and flow", old: #""name":"encoder","outputs""#,
      new: #""modelVersion":1,"name":"encoder","outputs""#,
      fault: "m:1:#: a model has 'name' or 'modelVersion', not both"),
    Case(
      name: "model version 0", old: #""modelVersion":73"#, new: #""modelVersion":0"#,
      fault: "m:1:#: 'modelVersion' is the number 0, expected 1...9223372036854775807"),
  ]

  @Test(arguments: cases)
  func refuses(_ item: Case) throws {
    let text = try text()
    let broken = text.replacing(item.old, with: item.new)
    #expect(broken != text)
    let found = message { _ = try Manifest(Array(broken.utf8), origin: "m") }
    #expect(matches(found ?? "", item.fault), "\(found ?? "no error")")
  }

  /// Whether a text fits a pattern, whose `#` match digits.
  private func matches(_ text: String, _ pattern: String) -> Bool {
    var rest = text[...]
    for (index, part) in pattern.split(separator: "#", omittingEmptySubsequences: false)
      .enumerated()
    {
      if index > 0 { rest = rest.drop { $0.isNumber } }
      guard rest.hasPrefix(part) else { return false }
      rest = rest.dropFirst(part.count)
    }
    return rest.isEmpty
  }
}
