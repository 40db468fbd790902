import Files
import Graph
import TestSupport
import Testing
import Weights

@testable import Formats

/// Digests that a package states of the files beside it, and the files it takes there.
struct CompanionDigestsTests {
  static let own = Array("one tokenizer".utf8)
  static let other = Array("another tokenizer".utf8)
  let folder: TemporaryFolder
  var path: String { folder.path("X.mlpackage") }

  init() throws {
    folder = try TemporaryFolder()
    try SmallModels.bert(tokenizer: Self.own).write(to: path)
  }

  private func open(_ texts: [String: [UInt8]]) throws -> Model {
    try CoreMLPackage.model(of: path, files: ModelFiles(carriedBy: "beside", texts: texts))
  }

  private func rewrite(_ change: (inout [String: String]) -> Void) throws {
    var parts = try MLPackageParts(of: path)
    change(&parts.message.description_p.metadata.userDefined)
    try Folder.remove(path)
    try parts.write(to: path)
  }

  @Test func thePackageStatesTheBytesThatWereRead() throws {
    let stated = try MLPackageParts(of: path).message.description_p.metadata.userDefined
    #expect(stated["dev.ingot.preparation"] == "tokenizer.json")
    #expect(
      stated["dev.ingot.preparation-sha256"]
        == #"{"tokenizer.json":"\#(ContentDigest(of: Self.own))"}"#)
  }

  @Test func itsOwnFilesAndNoOthersAreTaken() throws {
    let model = try open(["tokenizer.json": Self.own, "added_tokens.json": Self.other])
    #expect(try model.files.bytes(of: "tokenizer.json") == Self.own)
    #expect(try model.files.bytes(of: "added_tokens.json") == nil)
    // Without any the weights are there all the same, whatever another model has left.
    let bare = try open(["vocab.txt": Self.other])
    #expect(try bare.files.bytes(of: "vocab.txt") == nil)
    #expect(bare.architecture.describingFiles == ["tokenizer.json"])
  }

  @Test func anotherFileIsNamedWithBothDigests() {
    let (own, other) = (ContentDigest(of: Self.own), ContentDigest(of: Self.other))
    #expect(
      message { _ = try open(["tokenizer.json": Self.other]) }
        == "beside/tokenizer.json: its SHA-256 is \(other), but \(path) was made with a file of "
        + "\(own), and would give other outputs with this one; put that file back, or make the "
        + "package again")
  }

  @Test func aPackageWithoutDigestsTakesWhatIsThere() throws {
    try rewrite { $0["dev.ingot.preparation-sha256"] = nil }
    let model = try open(["tokenizer.json": Self.other])
    #expect(try model.files.bytes(of: "tokenizer.json") == Self.other)
  }

  @Test(arguments: [
    (
      #"{"tokenizer.json":"12"}"#,
      "'tokenizer.json' is '12', expected a SHA-256 in hexadecimal"
    ),
    ("{}", "'dev.ingot.preparation-sha256' names '', 'dev.ingot.preparation' 'tokenizer.json'"),
    (
      #"{"../key":"\#(ContentDigest(of: []))"}"#,
      "'dev.ingot.preparation-sha256' names '../key', 'dev.ingot.preparation' 'tokenizer.json'"
    ),
  ])
  func whatCannotBeSaidIsRefused(_ stated: String, _ fault: String) throws {
    try rewrite { $0["dev.ingot.preparation-sha256"] = stated }
    let text = message { _ = try open([:]) }
    #expect(text?.contains(fault) == true, "\(text ?? "nothing")")
  }

  /// A package may not name any file it likes.
  @Test func onlyFilesThatPrepareInputsAreNamed() throws {
    try rewrite {
      $0["dev.ingot.preparation"] = "../key"
      $0["dev.ingot.preparation-sha256"] = #"{"../key":"\#(ContentDigest(of: []))"}"#
    }
    #expect(throws: CoreMLError.self) { try open([:]) }
  }
}
