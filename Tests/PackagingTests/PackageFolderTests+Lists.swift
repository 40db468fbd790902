import Files
import Formats
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Packaging

// Lists of files that no folder has.
extension PackageFolderTests {
  static let lists = [
    Case("no model file", "model 'encoder' has no file '\(ProvenFolder.modelPath)'") { parts in
      parts.parts.removeAll { $0.path == ProvenFolder.modelPath }
    },
    Case(
      "model file of 16 MiB",
      "'\(ProvenFolder.modelPath)' has 16777217 bytes, the limit is 16777216"
    ) {
      try $0.replace(ProvenFolder.modelPath, [UInt8](repeating: 0, count: 16_777_217))
    },
    Case("file beside the folder", "file 'models/encoder/other' belongs to no model") {
      $0.add("models/encoder/other", .model)
    },
    Case(
      "tokenizer elsewhere", "file 'models/encoder/vocabulary.txt' belongs to no model"
    ) { $0.add("models/encoder/vocabulary.txt", .tokenizer) },
    Case(
      "tokenizer as model",
      "'models/encoder/tokenizer.json' is not a file of its own with role 'tokenizer'"
    ) { parts in
      for index in parts.parts.indices where parts.parts[index].role == .tokenizer {
        parts.parts[index].role = .model
      }
    },
    Case(
      "receipt in the folder", "file '\(folder)/Data/x' belongs to no model"
    ) { $0.add("\(folder)/Data/x", .receipt) },
    Case(
      "file inside a file",
      "file '\(folder)/Manifest.json/x' lies inside the file '\(folder.lowercased())/manifest.json'"
    ) { $0.add("\(folder)/Manifest.json/x", .model) },
    Case(
      "file in place of the folder",
      "file '\(ProvenFolder.modelPath)' lies inside the file '\(folder)'"
    ) {
      $0.add(folder, .model)
    },
  ]

  @Test(arguments: lists)
  func refusesListsThatNoFolderHas(_ item: Case) throws {
    var parts = try LooseParts(of: try Self.sound.get())
    try item.edit(&parts)
    let bytes = try parts.newManifest().bytes
    #expect(message { _ = try Manifest(bytes, origin: "m") } == "m:1:1: \(item.fault)")
  }

}
