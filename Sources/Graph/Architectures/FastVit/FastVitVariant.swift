/// What a FastViT's name in timm says and its weights do not.
struct FastVitVariant: Equatable, Sendable {
  /// Whether an activation is behind the convolution that makes images smaller, as in all models of
  /// MobileCLIP.
  let activatesEntries: Bool
  /// Stages whose first convolution has squeeze and excitation.
  let excitedStages: [Int]
  /// Whether the stem has branches of single places.
  let scalesStem: Bool
  /// Numbers of MobileCLIP's space, if the model is an image encoder of it.
  let clipWidth: Int?

  private static let plain = ["t8", "t12", "s12", "sa12", "sa24", "sa36", "ma36"]
  private static let clip = ["mci0", "mci1", "mci2", "mci3", "mci4"]

  /// Every name that is known.
  static let names = (plain + clip).map { "fastvit_\($0)" }

  /// - Returns: nil if the name is not known.
  init?(named name: String) {
    guard Self.names.contains(name) else { return nil }
    let place = Self.clip.firstIndex(of: String(name.dropFirst("fastvit_".count)))
    let isLarge = place.map { $0 >= 3 } ?? false
    activatesEntries = place != nil
    excitedStages = place == nil || isLarge ? [] : [2, 3]
    scalesStem = !isLarge
    clipWidth = place == nil ? nil : isLarge ? 768 : 512
  }
}
