import Files
import Formats
import Foundation
import Gate
import Graph
import Packaging
import Project
import ProjectFixtures
import Store
import TestSupport
import Testing
import Weights

@testable import Project
@testable import Release

/// A project whose model has an image and a text encoder.
struct ClipProject {
  let scratch: TemporaryFolder

  static let contract = """
    ingot: 1
    models:
      clip:
        source: models/clip
        compress: {scheme: int8}
        gate: {references: pairs.jsonl, limits: lenient}
        formats: [mlpackage]
    customers: customers.json
    release: {version: 1.0.0, sdk: ">=1.0.0"}

    """

  init(_ edits: [(old: String, new: String)] = []) throws {
    scratch = try TemporaryFolder()
    try TinyClip.write(to: scratch.path("models/clip"))
    try TinyClip.writePairs(to: scratch.path)
    try scratch.write(
      "customers.json",
      #"[{"bundle_identifiers": ["com.one.app"], "app_id": "\#(SmallProject.apps[0])"}]"#)
    try edit(edits)
  }

  /// Writes the contract with texts replaced.
  func edit(_ edits: [(old: String, new: String)]) throws {
    try scratch.write(
      "ingot.yaml",
      edits.reduce(ClipProject.contract) { $0.replacingOccurrences(of: $1.old, with: $1.new) })
  }

  func build(_ output: String = "out", store: String? = nil) throws -> BuildReport {
    var request = BuildRequest(
      project: scratch.path, output: scratch.path(output), tool: try SmallProject.tool(),
      time: try Timestamp(sourceDateEpoch: nil))
    request.store = try store.map { try ContentStore(folder: scratch.path($0), warn: { _ in }) }
    return try Builder.build(request)
  }

  /// The one package of a build.
  func package(_ output: String = "out", store: String? = nil) throws -> VerifiedPackage {
    let report = try build(output, store: store)
    guard let package = report.packages.first else {
      throw NotThere(what: "package: \(report.refused)")
    }
    return try PackageVerifier.verify(package.path)
  }

  /// The receipts of a package by their paths.
  static func receipts(_ package: VerifiedPackage) throws -> [String: RecordedReceipt] {
    let contents = try PackageReader.receipts(of: package.path).contents
    return try Dictionary(
      uniqueKeysWithValues: contents.map {
        ($0.key.string, try RecordedReceipt($0.value, origin: $0.key.string))
      })
  }
}
