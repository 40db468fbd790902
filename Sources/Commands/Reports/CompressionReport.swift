import Formats
import Gate
import Graph
import StrictJSON
import WeightCompression
import Weights

/// The answer of `compress`: the gate's verdict, the written model, and each tensor of it.
struct CompressionReport {
  let model: EmittedModel
  /// Nil if there were no references.
  let verdict: Verdict?
  /// Nil without a source check.
  let source: SourceFinding?
  /// Nil if no tokens were dropped.
  let vocabulary: VocabularyRecord?

  /// The verdict, then the size.
  var summary: String { (verdict?.text ?? "") + written }

  /// What was written.
  var written: String {
    "\(model.path): \(model.format), \(Figures.bytes(model.byteCount)), "
      + "\(Figures.count(model.tensors.count, "tensor")), sha256 \(model.digest)\n"
      + (vocabulary.map { "\($0.words), those of the corpus sha256 \($0.corpus)\n" } ?? "")
      + (source?.text ?? "")
  }

  /// Further notes, without the table.
  var details: String {
    let unchecked = source == nil ? "source check: \(SourceRecord.missing)\n" : ""
    guard let calibration = model.calibration else { return unchecked }
    return unchecked + "calibrated on \(Figures.count(calibration.inputs, "input")) of "
      + "sha256 \(calibration.digest)\n"
  }

  /// A line for each tensor.
  var table: String {
    var table = TextTable([
      ("tensor", .left), ("shape", .left), ("scheme", .left), ("bytes", .right), ("error", .right),
    ])
    for (tensor, bytes) in zip(model.tensors, model.weightBytes) {
      table.add([
        tensor.name.text, "\(tensor.shape)", tensor.schemeLabel, "\(bytes)",
        Figures.significant(tensor.relativeError),
      ])
    }
    return table.text
  }

  var json: JSONValue {
    let tensors = zip(model.tensors, model.weightBytes).map { tensor, bytes -> JSONValue in
      [
        "name": .string(tensor.name.text), "shape": .array(tensor.shape.map(JSONValue.integer)),
        "scheme": .string(tensor.schemeLabel), "bits": .integer(tensor.bits),
        "bytes": .integer(bytes), "relativeError": .double(tensor.relativeError),
      ]
    }
    return [
      "path": .string(model.path), "format": .string(model.format.name),
      "sha256": .string(model.digest.hex), "sizeBytes": .integer(model.byteCount),
      "tensors": .array(tensors), "unused": .array(model.unused.map { .string($0.text) }),
      "weightBytes": .integer(model.weightBytes.reduce(0, +)),
      "calibration": model.calibration.map {
        ["sha256": .string($0.digest.hex), "inputs": .integer($0.inputs)]
      } ?? .null,
      "vocabulary": vocabulary?.json ?? .null,
      "gate": verdict?.json(Flags.name) ?? .null, "sourceCheck": source?.json(Flags.name) ?? .null,
    ]
  }
}

extension VocabularyRecord {
  /// The digest of the corpus, and how many tokens stayed and were dropped.
  var json: JSONValue {
    [
      "corpus": ["sha256": .string(corpus.hex)], "kept": .integer(kept),
      "dropped": .integer(dropped),
    ]
  }
}
