import Trees

/// A model over named features, which can say what it computes besides its features and weights.
package protocol TableArchitecture: RecognisedArchitecture {
  /// Part by part, in an order that two models of one kind share.
  var computation: [ComputedPart] { get }

  /// Whether the parts of another model can be compared with its own one by one.
  func isDescribedAlike(_ other: Self) -> Bool
}

extension TableArchitecture {
  package func isDescribedAlike(_ other: Self) -> Bool { true }

  /// The first part that another model has otherwise; nil where none is, where the models are of two kinds, and
  /// where a file of another tool says the same in another way.
  package func firstDifference(
    from other: any Architecture
  ) -> (own: ComputedPart, other: ComputedPart)? {
    guard let other = other as? Self, isDescribedAlike(other) else { return nil }
    return zip(computation, other.computation).first { $0 != $1 }.map { ($0, $1) }
  }
}

/// One thing that a model of tables says of what it computes.
package struct ComputedPart: Equatable, Sendable {
  /// `activation of layer 1`
  package let what: String
  /// `relu`
  package let words: String

  init(_ what: String, _ words: String) { (self.what, self.words) = (what, words) }
}

extension Dense: TableArchitecture {
  package var computation: [ComputedPart] {
    let parts = [
      ComputedPart("normalization of rows", norm?.rawValue ?? "none"),
      ComputedPart("number of layers", "\(layers.count)"),
    ]
    return parts
      + layers.enumerated().map {
        ComputedPart("activation of layer \($0)", $1.activationWords)
      }
  }
}

extension Dense.Layer {
  /// A softmax of two outputs is the sigmoid of their difference.
  fileprivate var activationWords: String {
    let activation = activation == .softmax && outputCount == 2 ? .sigmoid : activation
    return activation.rawValue
  }
}

extension ForestModel: TableArchitecture {
  /// Trees that another tool laid out are compared by what they decide.
  package func isDescribedAlike(_ other: ForestModel) -> Bool { !isOfAnotherTool(than: other) }

  package var computation: [ComputedPart] {
    func width(_ isFloat: Bool) -> String { isFloat ? "32 bits" : "64 bits" }
    return [
      ComputedPart("width of features", width(header.precision.roundsFeatures)),
      ComputedPart("width of sums", width(header.precision.addsFloats)),
      ComputedPart("number that sums begin with", "\(header.base)"),
      ComputedPart("divisor of sums", "\(header.divisor)"),
      ComputedPart("transform", header.transform.rawValue),
    ]
  }
}

extension TableModel: TableArchitecture {
  package var computation: [ComputedPart] {
    [ComputedPart("number of steps", "\(steps.count)")]
      + steps.enumerated().map { ComputedPart("step \($0)", $1.step.words) }
      + [ComputedPart("step that is returned", returned)]
  }
}

extension TableStep {
  /// All that it says: `larger_0: larger(features, c)`.
  fileprivate var words: String {
    let operands = inputs.map { input in
      switch input {
      case .value(let name): name
      case .array(let name): "array \(name)"
      }
    }
    var words = "\(name): \(kind.rawValue)(\(operands.joined(separator: ", ")))"
    if !places.isEmpty { words += " places \(places)" }
    if let group { words += " group \(group)" }
    if let sums {
      words += " of \(sums.count), divided by \(sums.divisor), in \(sums.addsFloats ? 32 : 64) bits"
    }
    return words
  }
}
