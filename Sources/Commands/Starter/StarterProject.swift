/// The project that `ingot init` writes: small, and built like a real one.
enum StarterProject {
  /// The contract and the list of customers, which name no kind of model.
  static var contractFiles: [StarterFile] {
    [
      StarterFile(path: "ingot.yaml", content: .text(contract)),
      StarterFile(path: "customers.json", content: .text(customers)),
    ]
  }

  /// Every file of a project of small networks, the project file first.
  static var files: [StarterFile] {
    contractFiles + engagement.files(in: "models/engagement")
      + [engagement.references(at: "references/engagement.jsonl", seed: 1)]
      + upsell(seed: 73).files(in: "flows/onboarding_upsell/v73")
      + upsell(seed: 81).files(in: "flows/onboarding_upsell/v81")
      + [upsell(seed: 73).references(at: "flows/onboarding_upsell/references.jsonl", seed: 2)]
  }

  /// A small network over an app's facts about a session.
  private static let engagement = StarterModel(
    inputs: [
      "battery_level", "hour_of_day", "is_charging", "minutes_since_open", "screen_brightness",
      "sessions_today",
    ],
    widths: [8, 1], activations: ["relu", "sigmoid"], output: "engagement",
    labels: ["low", "high"], seed: 11)

  /// A logistic regression; each version has weights of its own.
  private static func upsell(seed: UInt32) -> StarterModel {
    StarterModel(
      inputs: ["days_since_install", "sessions_this_week", "has_seen_offer", "hour_of_day"],
      widths: [1], activations: ["sigmoid"], output: "outcome", labels: ["skip", "buy"],
      seed: seed)
  }

  private static let contract = """
    # A release of models, checked by 'ingot validate' and built by 'ingot build'.
    # Paths are relative to this file. An unknown key is an error, so a typo never passes.
    ingot: 1                                  # version of this contract

    # Models that every customer gets: a name, and how the model is made.
    models:
      engagement:
        source: models/engagement             # a folder, or a weight file; replace it by your own
        # What the library it was trained with makes of some inputs: compared before all else.
        # 'ingot check --help' shows the lines of Python that save both files.
        # source-check: {vectors: models/vectors.npy, inputs: models/inputs.jsonl}
        compress: {scheme: int8}              # int8, none, or {scheme: palettize, bits: 6}
        gate:                                 # no model ships that was not run and judged
          references: references/engagement.jsonl   # inputs like those the app will see
          limits: standard                    # strict, standard or lenient
        formats: [safetensors]                # or [mlpackage] for Core ML

    # How each custom model of the customer list is made. The words in braces stand for its values.
    customModels:
      source: flows/{flowName}/v{modelVersion}
      # source-check: {vectors: "flows/{flowName}/vectors.npy", inputs: "flows/{flowName}/inputs.jsonl"}
      compress: {scheme: int8}
      gate:
        references: flows/{flowName}/references.jsonl
        limits: standard
        threshold: 0.5                        # probability of the second label at which the app acts

    # Who gets a package: the JSON that a customer-management system exports.
    customers: customers.json

    release:
      version: 1.0.0                          # raise it with every release; none is written twice
      sdk: ">=1.0.0 <2.0.0"                   # which versions of the SDK may load the package
      archive: tar.zst                        # or zip
      # sign: keys/release                    # an Ed25519 key: mkdir keys && ssh-keygen -t ed25519 -f keys/release

    """

  private static let customers = """
    [
      {
        "bundle_identifiers": ["com.example.habits", "com.example.habits.beta"],
        "app_id": "6f1d2c3a-4b5e-4f60-8a71-92b3c4d5e6f7",
        "customModels": [{"flowId": 1001, "flowName": "onboarding_upsell", "modelVersion": 73}]
      },
      {
        "bundle_identifiers": ["com.example.coach"],
        "app_id": "0a9b8c7d-6e5f-4a3b-9c2d-1e0f2a3b4c5d",
        "customModels": [{"flowId": 1002, "flowName": "onboarding_upsell", "modelVersion": 81}]
      }
    ]

    """
}
