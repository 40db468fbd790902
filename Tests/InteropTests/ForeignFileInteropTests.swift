import Foundation
import TestSupport
import Testing
import Weights

/// Files of kinds that others write: each is called by its name, and the way out is said.
struct ForeignFileInteropTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let file: String
    /// The first bytes; nil for one of `Fixtures/foreign`, which the library itself wrote
    /// (`make_foreign_files.py`).
    var start: [UInt8]?
    let kind: String
    let mend: String
    var testDescription: String { file }
  }

  private static let again = "save the model with safetensors: "
  private static let source = "convert what it was made from: "
  private static let unpickled =
    "save its arrays without pickle, with the few lines that specs/examples/sklearn has"
  private static let whole = "save the whole model: booster.save_model("
  private static let dense = "write its weights as .npy and a model.json, as "

  static let cases = [
    Case(file: "pytorch_model.bin", kind: "a checkpoint of PyTorch", mend: again),
    Case(file: "script.pt", kind: "a checkpoint of PyTorch", mend: again),
    Case(
      file: "legacy.pt", kind: "a pickle of Python (an old checkpoint of PyTorch)", mend: again),
    Case(file: "model.onnx", kind: "an ONNX model", mend: source),
    Case(file: "model.joblib", kind: "a pickle of Python (scikit-learn)", mend: unpickled),
    Case(file: "compressed.joblib", kind: "a pickle of Python (scikit-learn)", mend: unpickled),
    Case(file: "model.pkl", kind: "a pickle of Python (scikit-learn)", mend: unpickled),
    Case(
      file: "m.gguf", start: Array("GGUF".utf8) + [3, 0, 0, 0], kind: "a GGUF file", mend: source),
    Case(
      file: "m.tflite", start: [0x1C, 0, 0, 0] + Array("TFL3".utf8) + [0x14, 0],
      kind: "a TensorFlow Lite model", mend: source),
    Case(
      file: "m.h5", start: [0x89] + Array("HDF\r\n".utf8) + [0x1A, 0x0A, 0],
      kind: "an HDF5 file of Keras", mend: dense),
    Case(
      file: "m.keras", start: Array("PK\u{3}\u{4}metadata.json".utf8), kind: "an archive of Keras",
      mend: dense),
    Case(
      file: "model.ubj",
      start: Array("{L".utf8) + [0, 0, 0, 0, 0, 0, 0, 7] + Array("learner".utf8),
      kind: "a model of XGBoost in a form", mend: whole),
    Case(
      file: "old.model", start: Array("binf".utf8) + [0, 0, 0, 0x3F], kind: "old binary form",
      mend: whole),
    Case(
      file: "dump.txt", start: Array("booster[0]:\n0:[f0<0.03] yes=1,no=2,missing=2\n".utf8),
      kind: "a dump of XGBoost's trees", mend: whole),
    Case(
      file: "dump.json", start: Array("[\n  { \"nodeid\": 0, \"depth\": 0, \"split\": \"f0\"".utf8),
      kind: "a dump of XGBoost's trees", mend: whole),
    Case(
      file: "m.cbm", start: Array("CBM1".utf8) + [0x40, 0, 0, 0],
      kind: "a binary model of CatBoost", mend: "save it as JSON: "),
    Case(
      file: "m.pmml", start: Array("<?xml version=\"1.0\"?>\n<PMML version=\"4.3\">".utf8),
      kind: "a PMML document", mend: "save the model in the form"),
    Case(
      file: "m.txt", start: Array("tree\r\nversion=v4\r\nnum_class=1\r\n".utf8),
      kind: "a model of LightGBM with carriage returns", mend: "remove them: "),
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func place(_ each: Case, as name: String) throws -> String {
    let path = folder.path(name)
    let bytes =
      try each.start.map { Data($0) }
      ?? Data(contentsOf: URL(filePath: Oracle.fixture("foreign/\(each.file)")))
    try bytes.write(to: URL(filePath: path))
    return path
  }

  private func message(_ path: String) -> String {
    var format = ""
    let fault = TestSupport.message { format = try WeightCollection.open(path).format }
    return fault ?? "opened: \(format)"
  }

  @Test(arguments: cases)
  func isCalledByItsName(_ each: Case) throws {
    let path = try place(each, as: each.file)
    let message = message(path)
    #expect(message.hasPrefix(path), "\(message)")
    #expect(message.contains(each.kind) && message.contains(each.mend), "\(message)")
  }

  /// In a folder of its own the file is found and named.
  @Test(
    arguments: cases.filter { each in
      !["m.txt", "dump.txt", "dump.json", "old.model"].contains(each.file)
    })
  func isFoundInItsFolder(_ each: Case) throws {
    let path = try place(each, as: each.file)
    let message = message(folder.path)
    #expect(message.hasPrefix(path) && message.contains(each.kind), "\(message)")
  }

  /// First bytes tell, whatever the file is called.
  @Test(
    arguments: cases.filter { each in
      !["compressed.joblib", "m.keras", "model.ubj"].contains(each.file)
    })
  func isKnownUnderAnotherName(_ each: Case) throws {
    let message = message(try place(each, as: "weights"))
    #expect(message.contains(each.kind), "\(message)")
  }

  @Test(arguments: [
    "sentence-transformers/all-MiniLM-L6-v2", "BAAI/bge-small-en-v1.5", "microsoft/phi-2",
  ])
  func aNameOfTheHubIsNoPath(name: String) {
    let message = message(name)
    #expect(
      message.contains("a name on the Hugging Face hub") && message.contains("download \(name)"),
      "\(message)")
  }

  /// The first two bytes of these lengths are those of a pickle, the third of ONNX's.
  @Test(arguments: [0x0280, 0x0380, 0x0480, 0x0580, 0x120A08])
  func aSafetensorsFileIsNoneOfThem(length: Int) throws {
    let header = Data(
      #"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#.utf8)
    var bytes = Data(withUnsafeBytes(of: UInt64(length).littleEndian) { Array($0) })
    bytes += header + Data(repeating: 0x20, count: length - header.count) + Data(count: 4)
    let path = folder.path("m.safetensors")
    try bytes.write(to: URL(filePath: path))
    #expect(message(path) == "opened: safetensors")
  }
}
