package import PackageNames

/// What keeps a device from taking a version.
package enum Obstacle: Equatable, Sendable {
  case withdrawn
  /// It is for apps with these bundle identifiers.
  case bundleIdentifiers([String])
  /// It is for libraries from one version on, and below another; nil for any.
  case sdk(min: SemanticVersion?, below: SemanticVersion?)
  /// The device's bucket is not among the share that takes it; both of ten thousand.
  case rollout(bucket: Int, permyriad: Int)
}

extension Offer {
  /// What keeps a device from taking it, the most lasting first; nil where nothing does.
  package func obstacle(for device: Device) -> Obstacle? {
    guard status == .active else { return .withdrawn }
    guard bundleIdentifiers.contains(device.bundleIdentifier) else {
      return .bundleIdentifiers(bundleIdentifiers)
    }
    guard minSDK.map({ device.sdk >= $0 }) ?? true, belowSDK.map({ device.sdk < $0 }) ?? true else {
      return .sdk(min: minSDK, below: belowSDK)
    }
    guard rollout.admits(device.installID) else {
      return .rollout(
        bucket: rollout.bucket(of: device.installID), permyriad: rollout.permyriad)
    }
    return nil
  }
}
