import Files
import Formats
import Graph
import Packaging
import ProjectFixtures
import StrictJSON
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Release

/// Differences between two manifests, without the packages.
@Suite struct PackageDifferenceTests {
  func manifest(_ old: String = "", _ new: String = "") throws -> Manifest {
    let project = try SmallProject()
    let path = try project.build().packages[1].path
    let text = String(decoding: try PackageReader.manifest(of: path).bytes, as: UTF8.self)
    return try Manifest(
      Array((old.isEmpty ? text : text.replacing(old, with: new)).utf8), origin: "m")
  }

  @Test(arguments: [
    (#""toolVersion":"0.1.0""#, #""toolVersion":"0.2.0""#, "version of ingot: 0.1.0 → 0.2.0"),
    (#""version":"1.4.0""#, #""version":"1.5.0""#, "version: 1.4.0 → 1.5.0"),
    (
      #""method":"int8 per channel""#, #""method":"int8""#,
      "model 'churn': option 'method': int8 per channel → int8 (and 2 more)"
    ),
    (#""name":"score""#, #""name":"points""#, ""),
    (
      #""dtype":"float32""#, #""dtype":"float16""#,
      "model 'churn': description 'inputs': features float32 [-1, 2] of a, b → "
        + "features float16 [-1, 2] of a, b (and 5 more)"
    ),
    (
      #""originalBytes":8"#, #""originalBytes":9"#,
      "model 'churn': description 'originalBytes': 8 → 9 (and 2 more)"
    ),
  ])
  func namesTheFirstCause(_ old: String, _ new: String, _ words: String) throws {
    let difference = PackageDifference(between: try manifest(), and: try manifest(old, new))
    #expect(difference.description == (words.isEmpty ? "nothing differs" : words))
  }

  /// A file that differs although nothing says why is named by its path.
  @Test func filesAreTheLastResort() throws {
    let left = try manifest()
    let file = try #require(left.files.first { $0.role == .model })
    let other = String(repeating: "0", count: 64)
    let right = try manifest(file.sha256.hex, other)
    #expect(
      PackageDifference(between: left, and: right).description
        == "model 'churn': file '\(file.path)': \(file.sha256.hex.prefix(12))… → 000000000000…")
    // The bill of materials belongs to no model.
    let bill = try #require(left.files.first { $0.role == .sbom })
    let billed = try manifest(bill.sha256.hex, other)
    #expect(
      PackageDifference(between: left, and: billed).description.hasPrefix(
        "file 'manifest.json': "))
  }
}
