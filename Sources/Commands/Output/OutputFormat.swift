import ArgumentParser
import Files
import Formats

/// Tells the format of an output from its name.
extension ModelFormat {
  /// The format of an output: the one that was asked for, else the one its name calls for, else
  /// the usual one.
  ///
  /// - Parameters:
  ///   - format: as given, nil if nothing was.
  ///   - path: the name of the output, nil without one.
  /// - Throws: `ValidationError` for an unknown format, and a name that contradicts the format.
  static func chosen(_ format: String?, for path: String?) throws -> ModelFormat {
    let requested = try format.map(known)
    let named = path.flatMap(named)
    guard let requested, let named, requested != named, let path else {
      return requested ?? named ?? .usual
    }
    throw ValidationError(
      "--format \(requested) and the name '\(path)', which is one of \(named), exclude each other; "
        + "leave out --format, or choose another --output")
  }

  private static func known(_ word: String) throws -> ModelFormat {
    guard let format = ModelFormat(word) else {
      let known = allCases.map(\.name).joined(separator: " or ")
      throw ValidationError("--format '\(word)' is not available; use \(known)")
    }
    return format
  }

  /// The endings of outputs by which they say their format: '….safetensors'.
  static var endings: [String] { allCases.map { "'….\($0)'" } }

  /// The endings of models that are folders: '.mlpackage'.
  static var folderEndings: [String] {
    allCases.filter { $0.folder != nil }.map { ".\($0)" }
  }

  /// The format that a name calls for; nil if the name says nothing.
  static func named(_ path: String) -> ModelFormat? { ModelFormat(ending(of: path)) }

  /// The kind of file that a name promises and that no model is written as; else nil.
  static func otherKind(namedBy path: String) -> String? { otherKinds[ending(of: path)] }

  /// The kind of file that a name promises where an array is written; nil for '….npy', and for names
  /// that promise nothing.
  static func kindBesidesArray(namedBy path: String) -> String? {
    if let format = named(path) { return "a \(format.type.noun)" }
    let ending = ending(of: path)
    return ending == "npy" ? nil : describingKinds[ending] ?? otherKinds[ending]
  }

  /// Kinds of files that describe models and inputs, by their endings.
  private static let describingKinds = [
    "txt": "a text", "md": "a text", "yaml": "a YAML file", "yml": "a YAML file",
    "csv": "a table", "tsv": "a table",
  ]

  /// The text after the last dot of a name, in lower case; empty without one.
  private static func ending(of path: String) -> String {
    let name = Folder.name(of: path)
    return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }

  /// Kinds of files that a model might be expected in, by their endings.
  private static let otherKinds = [
    "bin": "a PyTorch file", "pt": "a PyTorch file", "pth": "a PyTorch file",
    "ckpt": "a PyTorch checkpoint", "onnx": "an ONNX model", "gguf": "a GGUF file",
    "ggml": "a GGML file", "tflite": "a TensorFlow Lite model", "pb": "a TensorFlow model",
    "h5": "a Keras model", "keras": "a Keras model",
    "mlmodelc": "a compiled Core ML model", "npy": "a numpy array", "npz": "a numpy archive",
    "pkl": "a pickled object", "pickle": "a pickled object", "joblib": "a pickled object",
    "zip": "an archive", "zst": "an archive", "gz": "an archive", "tar": "an archive",
    "json": "a JSON file", "jsonl": "a file of JSON lines",
  ]
}
