import StrictJSON

/// What a classifier's numbers mean, as `config.json` says.
struct ClassifierTask: Sendable {
  /// What becomes of the numbers, as the library's pipeline `text-classification` does it.
  enum Scores: Sendable {
    /// Plain numbers.
    case none
    /// Plain numbers, the largest of which names the label.
    case logits
    /// Each from 0 to 1 by itself.
    case sigmoid
    /// Together 1.
    case softmax
  }

  let labels: [String]
  let scores: Scores

  /// A label or several of one text, or numbers where nothing is chosen between.
  var output: ModelOutput {
    guard scores != .none, labels.count > 1 else { return .numbers(width: labels.count) }
    return .classes(
      labels: .texts(labels), width: labels.count,
      scale: scores == .logits ? .scores : .probabilities)
  }

  /// Writes what becomes of the numbers: [B, labels] → [B, labels].
  func scores(of logits: Operand, in graph: inout GraphBuilder) throws(GraphError) -> Operand {
    switch scores {
    case .none, .logits: logits
    case .sigmoid: try graph.append("scores", ElementwiseUnary(.sigmoid, logits))
    case .softmax: try graph.append("scores", Softmax(logits))
    }
  }

  private static let problems = [
    "regression", "single_label_classification", "multi_label_classification",
  ]

  /// - Parameter pairs: what a cross-encoder does; nil for a classifier of single texts.
  init(_ config: JSONObject, pairs: CrossEncoder? = nil) throws {
    labels = try Self.labels(config)
    if let pairs {
      scores = pairs.scores ?? (labels.count == 1 ? .sigmoid : .logits)
      return
    }
    let problem = config.has("problem_type") ? try config.string("problem_type") : nil
    switch problem {
    case "regression": scores = .none
    case "multi_label_classification": scores = .sigmoid
    case nil, "single_label_classification": scores = labels.count == 1 ? .sigmoid : .softmax
    case let other?:
      throw ModelError.unsupported(
        place: "\(config.origin): 'problem_type'", found: "'\(other)'",
        supported: Self.problems.joined(separator: ", "))
    }
  }

  /// The words under the numbers 0, 1, … of `id2label`. Without them the library counts `num_labels`,
  /// or two.
  static func labels(_ config: JSONObject) throws -> [String] {
    let stated =
      config.has("num_labels") ? try config.plainInteger("num_labels", in: 1...1 << 16) : nil
    guard config.has("id2label") else { return (0..<(stated ?? 2)).map { "LABEL_\($0)" } }
    let names = try config.object("id2label")
    let labels = try (0..<names.members.count).map { try names.string("\($0)") }
    guard !labels.isEmpty, Set(labels.map(ExactString.init)).count == labels.count else {
      throw names.error(
        "'id2label' names no label, or one twice; every class needs a name of its own",
        at: names.position)
    }
    guard stated == nil || stated == labels.count else {
      throw try config.error(
        "'num_labels' is \(stated ?? 0), 'id2label' names \(labels.count)",
        at: config.required("num_labels").position)
    }
    return labels
  }
}
