/// What a model's name in timm says and its weights do not.
struct MobileNetVariant: Sendable {
  /// The order of the last layers.
  enum Head: Sendable {
    /// Pool, convolution, activation: MobileNetV3.
    case pooledFirst
    /// Pool, convolution, norm, activation: MobileNetV4.
    case pooledFirstWithNorm
    /// Convolution, norm, activation, pool: MobileNetV2 and EfficientNet.
    case pooledLast
  }

  /// The gate of squeeze and excitation: the activation between its layers, and its end.
  struct Gate: Sendable {
    let inner: ConvActivation
    let isHard: Bool
  }

  /// The stride of the first block of each stage; that of the others is 1.
  let strides: [Int]
  /// Stages from the first on whose activation is ReLU instead.
  let reluStages: Int
  let activation: ConvActivation
  let gate: Gate
  let head: Head
  let rules: ConvRules

  func activation(ofStage stage: Int) -> ConvActivation {
    stage < reluStages ? .relu : activation
  }
}

extension MobileNetVariant {
  private static let v3 = ["075", "100"]
  private static let plainV3 =
    v3.map { "mobilenetv3_large_\($0)" } + (["050"] + v3).map { "mobilenetv3_small_\($0)" }
  private static let minimalV3 = ["large", "small"].map { "tf_mobilenetv3_\($0)_minimal_100" }
  private static let tensorFlowV3 = ["large", "small"].flatMap { size in
    v3.map { "tf_mobilenetv3_\(size)_\($0)" }
  }
  private static let v4 = ["small_035", "small_050", "small", "medium", "large"].map {
    "mobilenetv4_conv_\($0)"
  }
  private static let v2 = ["035", "050", "075", "100", "140", "110d", "120d"].map {
    "mobilenetv2_\($0)"
  }
  private static let efficient = (0...8).map { "efficientnet_b\($0)" }
  private static let lite = (0...4).map { "efficientnet_lite\($0)" }

  /// Every name that is known.
  static let names =
    plainV3 + tensorFlowV3 + minimalV3 + v4 + v2 + efficient + lite
    + (efficient + lite).map { "tf_\($0)" }

  /// - Returns: nil if the name is not known.
  init?(named name: String) {
    guard Self.names.contains(name) else { return nil }
    let isTensorFlow = name.hasPrefix("tf_")
    self.init(
      family: isTensorFlow ? String(name.dropFirst(3)) : name, isTensorFlow: isTensorFlow)
  }

  private init(family name: String, isTensorFlow: Bool) {
    rules = ConvRules(
      epsilon: isTensorFlow ? 1e-3 : 1e-5, padding: isTensorFlow ? .tensorFlow : .centred)
    let (isV3, isSmall) = (name.hasPrefix("mobilenetv3"), name.contains("_small"))
    let isFullV3 = isV3 && !name.contains("_minimal")
    if name.hasPrefix("mobilenetv4") {
      (strides, head) = ([2, 2, 2, 2, 1], .pooledFirstWithNorm)
    } else if isV3 {
      (strides, head) = (isSmall ? [2, 2, 2, 1, 2, 1] : [1, 2, 2, 2, 1, 2, 1], .pooledFirst)
    } else {
      (strides, head) = ([1, 2, 2, 2, 1, 2, 1], .pooledLast)
    }
    reluStages = isFullV3 ? (isSmall ? 2 : 3) : 0
    if name.hasPrefix("efficientnet_b") {
      activation = .silu
    } else if name.hasPrefix("efficientnet_lite") || name.hasPrefix("mobilenetv2") {
      activation = .relu6
    } else {
      activation = isFullV3 ? .hardSwish : .relu
    }
    gate = isV3 ? Gate(inner: .relu, isHard: true) : Gate(inner: activation, isHard: false)
  }
}
