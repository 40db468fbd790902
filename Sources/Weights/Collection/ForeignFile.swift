import Files

/// A file of a kind that others write and Ingot does not read, known by its first bytes or by the
/// form of its name.
struct ForeignFile {
  private let path: String
  private let kind: String
  private let mend: String

  var error: WeightsError { .foreign(path: path, kind: kind, mend: mend) }

  private static let savedAgain =
    "save the model with safetensors: model.save_pretrained(FOLDER) of a current transformers, "
    + "model.save(FOLDER) of a current sentence-transformers, or safetensors.torch.save_file"
  private static let fromTraining =
    "convert what it was made from: the folder that transformers or sentence-transformers saved"
  private static let asDense =
    "write its weights as .npy and a model.json, as specs/formats/dense-model.md shows"
  private static let withoutPickle =
    "save its arrays without pickle, with the few lines that specs/examples/sklearn has for each "
    + "estimator"
  private static let wholeXGBoost = "save the whole model: booster.save_model(\"model.json\")"

  /// Nil if the path is of an unknown kind.
  init?(_ path: String) {
    self.path = path
    let name = Folder.name(of: path)
    if Folder.kind(of: path) == .missing {
      guard let hub = HubName(path) else { return nil }
      (kind, mend) = (hub.words, "fetch it first: hf download \(hub.name) --local-dir FOLDER")
      return
    }
    guard Folder.kind(of: path) != .folder, let file = try? MappedFile(path: path) else {
      return nil
    }
    let start = file.withBytes { $0.array(in: 0..<min(512, $0.byteCount)) }
    // The length of a safetensors header begins with any two bytes, those of a pickle included.
    guard !SafetensorsHeader.begins(start, fileByteCount: file.byteCount),
      !(name.hasSuffix(".safetensors") && SafetensorsHeader.hasBrace(start)),
      let found = ForeignFile.kind(of: start, called: name)
    else { return nil }
    (kind, mend) = found
  }

  /// The first of a folder's files that is foreign, those that hold weights before others.
  static func first(of names: [String], in folder: String) -> ForeignFile? {
    let endings = [
      ".bin", ".pt", ".pth", ".onnx", ".gguf", ".h5", ".keras", ".tflite", ".joblib", ".pkl",
      ".cbm", ".pmml",
    ]
    let likely = names.filter { name in endings.contains { name.hasSuffix($0) } }
    let others = ["model.json", "model.ubj"].filter(names.contains)
    return (likely + others).lazy.compactMap { ForeignFile(Folder.join(folder, $0)) }.first
  }

  private static func kind(of start: [UInt8], called name: String) -> (String, String)? {
    func has(_ text: String, at offset: Int = 0) -> Bool {
      start.dropFirst(offset).starts(with: text.utf8)
    }
    guard !start.starts(with: NpyHeader.magic) else { return nil }
    let isPickle = start.first == 0x80 && start.count > 1 && (2...5).contains(start[1])
    let isOfSklearn =
      name.hasSuffix(".joblib") || name.hasSuffix(".pkl") || isPickle && contains(start, "sklearn")
    if has("GGUF") { return ("a GGUF file of llama.cpp", fromTraining) }
    if has("TFL3", at: 4) { return ("a TensorFlow Lite model", fromTraining) }
    if start.starts(with: [0x89, 0x48, 0x44, 0x46]) { return ("an HDF5 file of Keras", asDense) }
    if has("PK"), name.hasSuffix(".keras") { return ("an archive of Keras", asDense) }
    if has("PK"), contains(start, "/data.pkl") || contains(start, "/data/0FB") {
      return ("a checkpoint of PyTorch", savedAgain)
    }
    if isPickle || isOfSklearn {
      return isOfSklearn
        ? ("a pickle of Python (scikit-learn)", withoutPickle)
        : ("a pickle of Python (an old checkpoint of PyTorch)", savedAgain)
    }
    if isONNX(start) { return ("an ONNX model", fromTraining) }
    if name.hasSuffix(".onnx") {
      return (
        "a file called .onnx that does not begin as an ONNX model does",
        "write it again with what converted the model, as skl2onnx or onnxmltools"
      )
    }
    return tables(start, name)
  }

  /// Models of tables: binary forms, dumps, and files that are no longer as their library wrote them.
  private static func tables(_ start: [UInt8], _ name: String) -> (String, String)? {
    if start.starts(with: "CBM1".utf8) {
      return (
        "a binary model of CatBoost",
        "save it as JSON: model.save_model(\"model.json\", format=\"json\")"
      )
    }
    if start.starts(with: "tree\r\nversion=".utf8) {
      return ("a model of LightGBM with carriage returns", "remove them: sed -i 's/\\r$//' FILE")
    }
    if start.starts(with: "booster[0]:".utf8) || contains(start, "{ \"nodeid\": 0") {
      return ("a dump of XGBoost's trees, without base score and objective", wholeXGBoost)
    }
    if start.starts(with: "binf".utf8) {
      return ("a model in XGBoost's old binary form", wholeXGBoost)
    }
    if contains(start, "<PMML") {
      return ("a PMML document", "save the model in the form of the library that trained it")
    }
    if name.hasSuffix(".ubj") || name.hasSuffix(".json") && contains(start, "\"learner\"") {
      return ("a model of XGBoost in a form that is not read", wholeXGBoost)
    }
    return nil
  }

  /// A message of protocol buffers with a small number in field 1 (the version of the format) and a
  /// text or a message in field 2 or 7 (who made it, the graph).
  private static func isONNX(_ start: [UInt8]) -> Bool {
    start.count > 3 && start[0] == 0x08 && 1...32 ~= start[1] && [0x12, 0x3A].contains(start[2])
  }

  private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let wanted = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
  }
}
