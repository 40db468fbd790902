import Calibration
import Gate
import Graph
import Inputs
import Project
import Store
import StrictJSON
import Weights

/// Everything that decides a model's outcome, by digests.
struct JobInputs {
  let architecture: String
  /// The weights as trained.
  let baseline: ContentDigest
  /// Digests of the files that describe them, those of every encoder, by path.
  let baselineFiles: [String: ContentDigest]
  /// The calibration set, its images included; nil if there is none.
  let calibration: ContentDigest?
  /// Outputs made elsewhere and their inputs, images included; nil if there are none.
  let sourceCheck: (vectors: ContentDigest, inputs: ContentDigest)?
  /// The reference set, its images included.
  let references: ContentDigest
  /// Compression, format, limits and threshold, key by key.
  let options: [String: String]
  /// Descriptions that packages take from cards of models beyond the project's own.
  let cards: [[String: String]]

  /// Reads all bytes that a job is about.
  init(of key: BuildPlan.Key, _ trained: TrainedModel) throws {
    // Every encoder comes from the same weight files.
    let model = trained.encoders[0]
    architecture = type(of: model.architecture).name
    // A model that can never run need not be read to its end.
    try ModelRunner.requireMemory(for: model)
    baseline = model.digest
    baselineFiles = try trained.encoders.reduce(into: [:]) { files, encoder in
      files.merge(try encoder.describingDigests()) { first, _ in first }
    }
    calibration = try key.calibration.map { try CalibrationSet(path: $0).digest }
    sourceCheck = try key.sourceCheck.map {
      let check = try $0.open()
      return (check.vectorsDigest, check.inputsDigest)
    }
    references = try ReferenceSet(path: key.references).digest
    options = key.options
    cards = try trained.shipping.compactMap { model in
      let form = try key.form.suiting(model)
      return form == key.form.suiting(model.architecture.encoder) ? nil : form.words
    }
  }

  /// Names the inputs for any tool that works on them.
  var digest: ContentDigest { ContentDigest(of: Array(json.compact.utf8)) }

  /// Names the work of one tool on the inputs.
  func action(by tool: BuildTool) -> ActionKey {
    ActionKey(["action": "ingot model 1", "inputs": json, "tool": tool.json])
  }

  private var json: JSONValue {
    var members: [String: JSONValue] = [
      "architecture": .string(architecture),
      "baseline": [
        "sha256": .string(baseline.hex),
        "files": .object(baselineFiles.mapValues { .string($0.hex) }),
      ],
      "references": .string(references.hex),
      "options": .object(options.mapValues(JSONValue.string)),
    ]
    if !cards.isEmpty {
      members["cards"] = .array(cards.map { .object($0.mapValues(JSONValue.string)) })
    }
    if let calibration { members["calibration"] = .string(calibration.hex) }
    if let sourceCheck {
      members["sourceCheck"] = [
        "vectors": .string(sourceCheck.vectors.hex), "inputs": .string(sourceCheck.inputs.hex),
      ]
    }
    return .object(members)
  }
}
