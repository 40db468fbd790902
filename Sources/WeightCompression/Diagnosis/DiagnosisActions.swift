import Graph

/// The action Ingot takes on each kind of finding, given how the tensor is used.
struct DiagnosisActions {
  private let tensor: DiagnosedTensor
  private let floats: FloatStorage

  init(_ tensor: DiagnosedTensor, _ floats: FloatStorage) {
    self.tensor = tensor
    self.floats = floats
  }

  /// Severity of values that compression refuses in a weight.
  var faultSeverity: Finding.Severity {
    switch tensor.use {
    case .weight, .stored: .refused
    case .unknown: .warning
    case .unused: .note
    }
  }

  var notFinite: String {
    switch tensor.use {
    case .weight: "nothing is compressed until it is mended; Ingot replaces no value"
    case .unused(let words): "left out: \(words)"
    case .unknown: "a model that uses it is not compressed; Ingot replaces no value"
    case .stored: "the gate passes no model with such a weight"
    }
  }

  func severity(of mask: MaskPattern) -> Finding.Severity {
    switch tensor.use {
    case .weight: mask.hidden.isFinite ? .warning : .refused
    case .unused, .unknown, .stored: .note
    }
  }

  func text(of mask: MaskPattern) -> String {
    switch tensor.use {
    case .unused(let words): "left out: \(words)"
    case .unknown where !mask.hidden.isFinite: "a model that uses it as a weight is not compressed"
    case .weight where !mask.hidden.isFinite:
      "nothing is compressed: a weight must be finite; -10000 hides as well and fits float16"
    default: "\(done), like any weight"
    }
  }

  var unreadable: String {
    switch tensor.use {
    case .weight: "nothing is compressed; convert it to F32, F16 or BF16"
    case .unused(let words): "left out: \(words)"
    case .unknown, .stored: "a model that uses it is not compressed; convert it to F32, F16 or BF16"
    }
  }

  var overflow: String {
    "not stored in \(floats.halving.joined(separator: " or ")), whose float16 ends at 65504"
      + floats.keepingWords(after: ";")
  }

  var underflow: String {
    floats.action(done, "zeros in their place")
  }

  var subnormal: String {
    floats.action(done, "them with fewer digits")
  }

  var constant: String { "\(done); it tells the model nothing" }

  var constantChannels: String { "\(done); training has not told their values apart" }

  var zeros: String {
    "\(done); int8 keeps zeros exactly, a palette shared with other channels may not"
  }

  var deadInputs: String {
    "\(done); int8 without calibration keeps zeros exactly, a palette may not"
  }

  var tails: String {
    "\(done); at 8 bits take a scale per channel, at 4 or fewer blocks of 32 or palettes in groups"
  }

  var integers: String {
    switch tensor.use {
    case .unused(let words): "left out: \(words)"
    default: "\(done), as float32 numbers"
    }
  }

  func fewValues(bits: Int) -> String {
    "\(done); unique keeps every value in \(bits) \(bits == 1 ? "bit" : "bits")"
  }

  // The treatment of the tensor, with or without the finding.
  private var done: String {
    switch tensor.use {
    case .weight(let role): role.isCompressible ? "compressed as asked" : "left uncompressed"
    case .unused(let words): "left out: \(words)"
    case .unknown: "compressed as asked where a model uses it"
    case .stored: "left uncompressed"
    }
  }
}
