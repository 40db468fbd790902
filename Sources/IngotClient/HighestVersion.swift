import Offers
import PackageNames

/// The highest version that a repository has for an app.
public struct HighestVersion: Hashable, Sendable {
  /// As the package has it: `1.4.0`.
  public let version: String
  /// What keeps this device from taking it; nil where nothing does.
  public let obstacle: Obstacle?

  /// What keeps a device from taking a version.
  public enum Obstacle: Hashable, Sendable, CustomStringConvertible {
    /// No device may use it any more.
    case withdrawn
    /// It is for apps with these bundle identifiers.
    case otherApps(bundleIdentifiers: [String], own: String)
    /// It is for libraries from one version on, and below another; nil for any.
    case otherLibrary(min: String?, below: String?, own: String)
    /// It is for a share of devices so far: those with a bucket below `permyriad`, of ten thousand.
    case rollout(bucket: Int, permyriad: Int)
    /// It failed its check on this device, was not confirmed, or was left by the app.
    case leftHere

    /// The obstacle, with what is and what should be: `it was withdrawn`.
    public var description: String {
      switch self {
      case .withdrawn: "it was withdrawn"
      case .otherApps(let identifiers, let own):
        "it is for \(identifiers.joined(separator: ", ")), and the app here is \(own)"
      case .otherLibrary(let min, let below, let own):
        "it is for libraries \(Self.range(min, below)), and the one here is \(own)"
      case .rollout(let bucket, let permyriad):
        "it is rolled out to buckets below \(permyriad) of 10000, and this device has bucket \(bucket)"
      case .leftHere: "it did not pass its check or was left on this device before"
      }
    }

    private static func range(_ min: String?, _ below: String?) -> String {
      [min.map { "from \($0) on" }, below.map { "below \($0)" }].compactMap { $0 }
        .joined(separator: " and ")
    }
  }
}

extension HighestVersion {
  /// Judges an offer.
  ///
  /// - Parameter isRefused: whether it did not work on this device.
  init(_ offer: Offer, for device: Device, isRefused: Bool) {
    version = "\(offer.version)"
    obstacle =
      switch offer.obstacle(for: device) {
      case .withdrawn: .withdrawn
      case .bundleIdentifiers(let identifiers):
        .otherApps(bundleIdentifiers: identifiers, own: device.bundleIdentifier)
      case .sdk(let min, let below):
        .otherLibrary(
          min: min.map { "\($0)" }, below: below.map { "\($0)" }, own: "\(device.sdk)")
      case .rollout(let bucket, let permyriad): .rollout(bucket: bucket, permyriad: permyriad)
      case nil: isRefused ? .leftHere : nil
      }
  }
}
