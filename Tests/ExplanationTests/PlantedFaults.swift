import Formats
import Gate
import Graph
import Inputs
import ModelFixtures
import TestSupport
import Testing
import Weights

/// A fault that is planted into a model, and the part that has to be named for it.
struct PlantedFault: CustomTestStringConvertible, Sendable {
  enum Architecture: String, CaseIterable { case bert, clip }

  let architecture: Architecture
  let kind: DamageKind
  let subject: Culprit.Subject
  /// Whether every weight is rounded to eight bits besides.
  var isCompressed = false

  var testDescription: String { "\(architecture) \(kind)\(isCompressed ? " in INT8" : "")" }

  /// Ten kinds in two architectures.
  static let all = bert + clip

  private static let layer = "encoder.layer.1"
  private static let bert = [
    of(.bert, .scaled, "\(layer).attention.self.value.weight"),
    of(.bert, .negated, "encoder.layer.0.attention.output.dense.weight"),
    of(.bert, .permuted, "encoder.layer.0.intermediate.dense.weight"),
    of(.bert, .shuffled, "\(layer).intermediate.dense.weight"),
    of(.bert, .saturated, "\(layer).attention.output.dense.weight"),
    of(.bert, .zeroed, "encoder.layer.0.output.dense.weight"),
    of(.bert, .notFinite, "\(layer).output.dense.weight"),
    PlantedFault(architecture: .bert, kind: .tokenizer, subject: .tokenizer),
    PlantedFault(architecture: .bert, kind: .preprocessing, subject: .preprocessing),
    of(.bert, .rounding, "\(layer).output.dense.weight"),
  ]

  private static let clip = [
    of(.clip, .scaled, "vision_model.encoder.layers.0.self_attn.out_proj.weight"),
    of(.clip, .negated, "text_model.encoder.layers.0.mlp.fc2.weight"),
    of(.clip, .permuted, "vision_model.encoder.layers.0.mlp.fc1.weight"),
    of(.clip, .shuffled, "text_projection.weight"),
    of(.clip, .saturated, "vision_model.embeddings.patch_embedding.weight"),
    of(.clip, .zeroed, "vision_model.encoder.layers.0.mlp.fc2.weight"),
    of(.clip, .notFinite, "text_model.encoder.layers.0.self_attn.v_proj.weight"),
    PlantedFault(architecture: .clip, kind: .tokenizer, subject: .tokenizer),
    PlantedFault(architecture: .clip, kind: .preprocessing, subject: .preprocessing),
    of(.clip, .rounding, "text_projection.weight"),
  ]

  private static func of(
    _ architecture: Architecture, _ kind: DamageKind, _ name: String
  ) -> PlantedFault {
    PlantedFault(architecture: architecture, kind: kind, subject: .weight(TensorName(name)))
  }

  /// Changes the values of a weight of so many rows.
  func damage(_ values: [Float], rows: Int) -> [Float] {
    let columns = values.count / max(1, rows)
    let largest = values.reduce(0) { max($0, $1.magnitude) }
    switch kind {
    case .scaled: return values.map { $0 * 1.7 }
    case .negated: return values.map { -$0 }
    case .permuted:
      // Half of the columns, in pairs that change places.
      return values.indices.map { place in
        let column = place % columns
        guard column < columns / 4 * 2 else { return values[place] }
        return values[column % 2 == 0 ? place + 1 : place - 1]
      }
    case .shuffled:
      return (0..<rows).reversed().flatMap { values[$0 * columns..<($0 + 1) * columns] }
    case .saturated: return values.map { min(max($0, -0.4 * largest), 0.4 * largest) }
    case .zeroed: return values.indices.map { $0 / columns % 3 == 1 ? 0 : values[$0] }
    case .notFinite: return [.nan] + values.dropFirst()
    case .rounding: return values.map { ($0 / largest).rounded() * largest }
    default: return values
    }
  }

  /// Rounds to the steps of INT8, one scale for each row.
  static func rounded(_ values: [Float], rows: Int) -> [Float] {
    let columns = values.count / max(1, rows)
    guard columns > 1 else { return values }
    return (0..<rows).flatMap { row -> [Float] in
      let row = values[row * columns..<(row + 1) * columns]
      let step = row.reduce(0) { max($0, $1.magnitude) } / 127
      return step > 0 ? row.map { ($0 / step).rounded() * step } : Array(row)
    }
  }

  private func changed(_ values: [Float], _ name: String, rows: Int, isMatrix: Bool) -> [Float] {
    let base = isCompressed && isMatrix ? PlantedFault.rounded(values, rows: rows) : values
    return subject == .weight(TensorName(name)) ? damage(base, rows: rows) : base
  }
}

extension PlantedFault {
  /// A model as trained, the same with the fault, and references.
  func models(in folder: TemporaryFolder) throws -> (
    trained: [Model], candidate: [Model], references: ReferenceSet
  ) {
    switch architecture {
    case .bert: (try [TinyBert.model()], try [bert()], try TinyBert.references())
    case .clip: try clip(in: folder)
    }
  }

  private func bert() throws -> Model {
    var files: [String: [UInt8]] = [:]
    if kind == .tokenizer {
      var words = TinyBert.words
      words.swapAt(5, 7)
      files["tokenizer.json"] = wordPieceFile(words)
    }
    if kind == .preprocessing {
      files["config_sentence_transformers.json"] = Array(
        #"{"prompts": {"query": "big "}, "default_prompt_name": "query"}"#.utf8)
    }
    return try TinyBert.model(origin: "candidate", files: files) { weights in
      for name in weights.names {
        guard let (shape, values) = weights.tensors[name] else { continue }
        weights.tensors[name] = (
          shape, changed(values, name.text, rows: shape[0], isMatrix: shape.count > 1)
        )
      }
    }
  }

  private func clip(in folder: TemporaryFolder) throws -> (
    trained: [Model], candidate: [Model], references: ReferenceSet
  ) {
    try TinyClip.write(to: folder.path("trained"))
    try TinyClip.write(to: folder.path("candidate")) { weights in
      for (name, values) in weights where !name.hasSuffix("attn_mask") {
        let rows = TinyClip.rows(of: name)
        weights[name] = changed(
          values, name, rows: rows, isMatrix: rows > 0 && values.count > rows)
      }
    }
    if kind == .tokenizer { try replace("tokenizer.json", #""Lowercase""#, #""NFC""#, folder) }
    if kind == .preprocessing {
      try replace(
        "preprocessor_config.json", #""image_mean": [0.5, 0.5, 0.5]"#,
        #""image_mean": [0.4, 0.5, 0.6]"#, folder)
    }
    let set = try ReferenceSet(path: try TinyClip.writePairs(to: folder.path("pairs")))
    return (
      try ModelLoader.encoders(of: folder.path("trained")),
      try ModelLoader.encoders(of: folder.path("candidate")), set
    )
  }

  private func replace(
    _ name: String, _ old: String, _ new: String, _ folder: TemporaryFolder
  ) throws {
    let text = try folder.text("candidate/\(name)")
    try folder.write("candidate/\(name)", text.replacing(old, with: new))
  }
}
