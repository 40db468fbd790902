import StrictJSON
package import Weights

/// A fact about a weight that its owner should know, and the action Ingot takes.
///
/// `specs/formats/inspect.md` lists every kind with its threshold.
package struct Finding: Hashable, Sendable {
  /// The kind, as scripts know it; never renamed. In the order of listings.
  package enum ID: String, CaseIterable, Sendable {
    case nan
    case infinity
    case float16Overflow = "half-overflow"
    case unreadableType = "unreadable-type"
    case mask
    case constant
    case constantChannels = "constant-channels"
    case deadChannels = "dead-channels"
    case deadInputs = "dead-inputs"
    case heavyTails = "heavy-tails"
    case heavyChannels = "heavy-channels"
    case float16Underflow = "half-underflow"
    case float16Subnormal = "half-subnormal"
    case integerTable = "integer-table"
    case fewValues = "few-values"
    case tied
    case duplicate
  }

  /// Severity levels, the gravest first.
  package enum Severity: String, CaseIterable, Sendable {
    /// Ingot will not compress the tensor, or not in the format that is named.
    case refused
    case warning
    case note
  }

  /// A number that was found, by a name for scripts.
  package struct Figure: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
      case count(Int)
      case number(Double)
    }

    package let name: String
    package let value: Value

    static func count(_ name: String, _ value: Int) -> Figure {
      Figure(name: name, value: .count(value))
    }

    static func number(_ name: String, _ value: Double) -> Figure {
      Figure(name: name, value: .number(value))
    }
  }

  package let id: ID
  package let severity: Severity
  package let tensor: TensorName
  /// Tensors that are equal to it, for `tied` and `duplicate`.
  package let others: [TensorName]
  /// The fact, in words that follow the tensor's name and a colon.
  package let fact: String
  /// The action Ingot takes.
  package let action: String
  package let figures: [Figure]

  init(
    _ id: ID, _ severity: Severity, _ tensor: TensorName, _ fact: String, _ action: String,
    _ figures: [Figure] = [], others: [TensorName] = []
  ) {
    self.id = id
    self.severity = severity
    self.tensor = tensor
    self.others = others
    self.fact = fact
    self.action = action
    self.figures = figures
  }

  /// Findings in the order of listings: by severity, then kind; of one kind as they were.
  package static func sorted(_ findings: [Finding]) -> [Finding] {
    Severity.allCases.flatMap { severity in
      ID.allCases.flatMap { id in findings.filter { $0.severity == severity && $0.id == id } }
    }
  }
}

/// Findings about the constants of a program that are not weights.
extension Finding {
  /// A mask that hides by −∞ and is read with a finite number instead.
  package static func mendedMask(_ name: String, hidden: Float) -> Finding {
    Finding(
      .mask, .note, TensorName(name), "a mask that hides by -inf",
      "runs and is written with \(Figures.text(hidden)) in place of -inf, which hides as well")
  }

  /// A number that is not finite, outside of masks.
  ///
  /// - Parameter fact: says where it is read.
  package static func oddNumber(_ name: String, _ number: Float, _ fact: String) -> Finding {
    Finding(
      number.isNaN ? .nan : .infinity, .refused, TensorName(name), fact,
      "no other package is made of the program; Ingot replaces no value")
  }
}
