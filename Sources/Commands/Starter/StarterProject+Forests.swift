/// The project of `ingot init --template tabular`.
extension StarterProject {
  /// Every file of a project of forests, the project file first.
  static var forestFiles: [StarterFile] {
    contractFiles + engagement.files(in: "models/engagement")
      + [engagement.references(at: "references/engagement.jsonl", seed: 1)]
      + upsell(seed: 73).files(in: "flows/onboarding_upsell/v73")
      + upsell(seed: 81).files(in: "flows/onboarding_upsell/v81")
      + [upsell(seed: 73).references(at: "flows/onboarding_upsell/references.jsonl", seed: 2)]
  }

  private static let engagement = StarterForest(
    inputs: [
      "battery_level", "hour_of_day", "is_charging", "minutes_since_open", "screen_brightness",
      "sessions_today",
    ],
    trees: 24, output: "engagement", labels: ["low", "high"], seed: 11)

  /// Each version has trees of its own.
  private static func upsell(seed: UInt32) -> StarterForest {
    StarterForest(
      inputs: ["days_since_install", "sessions_this_week", "has_seen_offer", "hour_of_day"],
      trees: 12, output: "outcome", labels: ["skip", "buy"], seed: seed)
  }
}
