// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Targets that touch raw memory: every unsafe expression is marked `unsafe`.
let memorySettings = settings + [.strictMemorySafety()]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

/// A test target whose name follows from the target it tests.
func tests(of target: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(target)Tests", dependencies: [.byName(name: target)] + dependencies,
    swiftSettings: settings)
}

let package = Package(
  name: "ingot",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "ingot", targets: ["ingot"])
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // Data flows one way: a target imports only what stands above it.
    .target(name: "Files", dependencies: ["CFiles"], swiftSettings: memorySettings),
    .target(name: "StrictJSON", swiftSettings: settings),
    .target(
      name: "Weights", dependencies: ["Files", "StrictJSON", "CZlib", crypto],
      swiftSettings: memorySettings),
    .target(
      name: "Preprocessing", dependencies: ["StrictJSON", "CImages"],
      swiftSettings: memorySettings),
    .target(
      name: "Graph", dependencies: ["Weights", "Preprocessing", "Files", "StrictJSON"],
      swiftSettings: settings),
    .target(
      name: "Signatures", dependencies: ["Files", "StrictJSON", crypto],
      swiftSettings: memorySettings),
    .target(
      name: "Store", dependencies: ["Weights", "Files", "StrictJSON", "CCurl", protobuf],
      exclude: ["Remote/ActionResult.proto"], swiftSettings: memorySettings),
    .target(
      name: "Execution", dependencies: ["Graph", "Files", "StrictJSON", "CDNNL", "CKernels"],
      swiftSettings: memorySettings),
    .target(
      name: "WeightCompression", dependencies: ["Graph", "Weights", "Files", "StrictJSON"],
      swiftSettings: settings),
    .target(
      name: "Evaluation",
      dependencies: ["Preprocessing", "Execution", "Graph", "Weights", "Files", "StrictJSON"],
      swiftSettings: settings),
    .target(
      name: "Calibration",
      dependencies: [
        "Evaluation", "Execution", "WeightCompression", "Graph", "Weights", "Files", "StrictJSON",
      ],
      swiftSettings: settings),
    .target(
      name: "Emission",
      dependencies: [
        "WeightCompression", "Graph", "Preprocessing", "Weights", "Files", "StrictJSON", protobuf,
      ],
      exclude: ["CoreML/Messages/MIL.proto", "CoreML/Messages/Model.proto"],
      swiftSettings: settings),
    .target(
      name: "Proving",
      dependencies: [
        "Calibration", "Evaluation", "Emission", "WeightCompression", "Graph", "Weights",
      ],
      swiftSettings: settings),
    .target(
      name: "Packaging",
      dependencies: [
        "Evaluation", "Emission", "Graph", "Weights", "Files", "StrictJSON", "CArchive", "CZstd",
        "CZlib",
      ],
      swiftSettings: memorySettings),
    .target(
      name: "Release",
      dependencies: [
        "Packaging", "Proving", "Evaluation", "Emission", "Calibration", "WeightCompression",
        "Signatures", "Store", "Graph", "Weights", "Files", "StrictJSON",
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: settings),
    .target(
      name: "Commands",
      dependencies: [
        "Release", "Packaging", "Proving", "Evaluation", "Emission", "Calibration", "Execution",
        "WeightCompression", "Signatures", "Store", "Preprocessing", "Graph", "Weights", "Files",
        "StrictJSON",
        argumentParser,
      ],
      swiftSettings: settings),
    .executableTarget(name: "ingot", dependencies: ["Commands"], swiftSettings: settings),

    .executableTarget(
      name: "ingot-bench",
      dependencies: ["Emission", "Evaluation", "Execution", "Graph", "Files"],
      path: "Benchmarks/IngotBench", swiftSettings: settings),

    // C: small targets of our own (CCurl loads libcurl on demand), and the libraries Debian carries.
    .target(name: "CFiles"),
    .target(name: "CKernels"),
    .target(name: "CCurl"),
    .target(
      name: "CImages", linkerSettings: [.linkedLibrary("png"), .linkedLibrary("jpeg")]),
    .systemLibrary(name: "CDNNL", providers: [.apt(["libdnnl-dev"])]),
    .systemLibrary(
      name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // Bytes of weight files and images, made in code, for several test targets.
    .target(
      name: "WeightFixtures", dependencies: ["CZlib"], path: "Tests/WeightFixtures",
      swiftSettings: settings),
    // A whole CLIP model, made in code, for several test targets.
    .target(name: "ClipFixtures", path: "Tests/ClipFixtures", swiftSettings: settings),
    tests(of: "Files"),
    tests(of: "StrictJSON", ["Files"]),
    tests(of: "Weights", ["Files", "StrictJSON", "WeightFixtures"]),
    tests(of: "Signatures", ["Files", "StrictJSON"]),
    tests(of: "Store", ["Weights", "Files", "StrictJSON"]),
    tests(of: "Graph", ["Preprocessing", "StrictJSON"]),
    tests(of: "Preprocessing", ["StrictJSON", "WeightFixtures"]),
    tests(of: "Execution", ["Graph", "CKernels"]),
    tests(of: "WeightCompression", ["Graph", "Weights"]),
    tests(
      of: "Evaluation",
      ["Emission", "WeightCompression", "Graph", "Weights", "Files", "StrictJSON"]),
    tests(
      of: "Calibration",
      [
        "Evaluation", "Execution", "WeightCompression", "Graph", "Weights", "Files", "StrictJSON",
        "ClipFixtures",
      ]),
    tests(of: "Emission", ["WeightCompression", "Graph", "Weights", "Files"]),
    tests(
      of: "Proving",
      ["Emission", "Evaluation", "WeightCompression", "Graph", "Weights", "Files"]),
    tests(
      of: "Packaging",
      [
        "Proving", "Evaluation", "Emission", "WeightCompression", "Graph", "Weights", "Files",
        "StrictJSON",
        "ClipFixtures",
      ]),
    tests(
      of: "Release",
      [
        "Packaging", "Emission", "WeightCompression", "Signatures", "Store", "Graph", "Evaluation",
        "Weights", "Files", "StrictJSON", "ClipFixtures",
      ]),
    tests(of: "Commands", ["WeightFixtures", "ClipFixtures"]),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "Release", "Packaging", "Emission", "WeightCompression", "Evaluation", "Preprocessing",
        "Signatures", "Store", "Graph", "Weights", "StrictJSON", "Files", "CZstd", "WeightFixtures",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "InteropTests",
      dependencies: [
        "Release", "Packaging", "Emission", "Evaluation", "Execution", "WeightCompression",
        "Signatures", "Preprocessing", "Graph", "Weights", "Files", "StrictJSON", "ClipFixtures",
      ],
      exclude: ["Fixtures"], swiftSettings: settings),
  ]
)
