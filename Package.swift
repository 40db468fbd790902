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
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")

/// Tests are compiled once, without a module of their own, which nothing imports.
let testSettings = settings + [.unsafeFlags(["-no-emit-module-separately-wmo"])]

/// Tests that compute little themselves: optimising them takes longer than it saves.
let plainTestSettings = testSettings + [.unsafeFlags(["-Onone"])]

/// A test target whose name follows from the target it tests.
///
/// - Parameter optimised: whether the tests themselves are, as those need that compute much.
func tests(
  of target: String, _ dependencies: [Target.Dependency] = [], optimised: Bool = false
) -> Target {
  .testTarget(
    name: "\(target)Tests", dependencies: [.byName(name: target)] + dependencies,
    swiftSettings: optimised ? testSettings : plainTestSettings)
}

let package = Package(
  name: "ingot",
  platforms: [.macOS(.v13), .iOS(.v16)],
  products: [
    .executable(name: "ingot", targets: ["ingot"]),
    .library(name: "IngotClient", targets: ["IngotClient", "IngotURLSession"]),
    .library(name: "IngotTokenizers", targets: ["IngotTokenizers"]),
    .library(name: "IngotFeatures", targets: ["IngotFeatures"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
  ],
  targets: [
    // Data flows one way: a target imports only what is above it.
    .target(name: "Files", dependencies: ["CFiles"], swiftSettings: memorySettings),
    .target(name: "StrictJSON", swiftSettings: memorySettings),
    .target(name: "PackageNames", swiftSettings: settings),
    // For apps too: values by their names to the rows that the gate ran, without C.
    .target(name: "IngotFeatures", dependencies: ["StrictJSON"], swiftSettings: settings),
    .target(
      name: "Trees", dependencies: ["IngotFeatures", "Files", "StrictJSON", protobuf],
      exclude: ["ONNX/Messages/ONNX.proto"], swiftSettings: memorySettings),
    .target(name: "SelfTesting", dependencies: ["StrictJSON"], swiftSettings: settings),
    .target(name: "Zstd", dependencies: ["Files", "CZstd"], swiftSettings: memorySettings),
    .target(
      name: "TUF", dependencies: ["Files", "StrictJSON", crypto, cryptoExtras],
      swiftSettings: settings),
    .target(
      name: "Deltas", dependencies: ["Zstd", "Files", crypto], swiftSettings: memorySettings),
    .target(
      name: "Offers", dependencies: ["PackageNames", "StrictJSON", crypto],
      swiftSettings: settings),
    .target(
      name: "Weights", dependencies: ["Files", "StrictJSON", "CZlib", crypto],
      swiftSettings: memorySettings),
    .target(
      name: "Tokenization", dependencies: ["StrictJSON", protobuf],
      exclude: ["SentencePiece/Messages/SentencePiece.proto"], swiftSettings: memorySettings),
    .target(name: "Imaging", dependencies: ["StrictJSON"], swiftSettings: memorySettings),
    .target(
      name: "ImageDecoding", dependencies: ["Imaging", "StrictJSON", "CImages"],
      swiftSettings: memorySettings),
    // For apps too: texts and images to the tensors that the gate ran, without C.
    .target(
      name: "IngotTokenizers",
      dependencies: ["Tokenization", "Imaging", "IngotFeatures", "StrictJSON"],
      swiftSettings: settings),
    .target(
      name: "Graph",
      dependencies: [
        "Weights", "Trees", "Tokenization", "Imaging", "IngotFeatures", "Files", "StrictJSON",
      ],
      swiftSettings: settings),
    .target(
      name: "Signatures", dependencies: ["Files", "StrictJSON", crypto],
      swiftSettings: memorySettings),
    .target(
      name: "Store", dependencies: ["Weights", "Files", "StrictJSON", "CCurl", protobuf],
      exclude: ["Remote/ActionResult.proto"], swiftSettings: memorySettings),
    .target(
      name: "Execution",
      dependencies: [
        "Graph", "Weights", "Trees", "Files", "StrictJSON", "CDNNL", "CKernels",
      ],
      swiftSettings: memorySettings),
    .target(
      name: "WeightCompression", dependencies: ["Graph", "Weights", "Files", "StrictJSON"],
      swiftSettings: memorySettings),
    .target(
      name: "Inputs",
      dependencies: [
        "Tokenization", "Imaging", "Execution", "Graph", "Weights", "SelfTesting", "Files",
        "ImageDecoding", "StrictJSON", "IngotTokenizers", "IngotFeatures",
      ],
      swiftSettings: settings),
    .target(
      name: "Gate",
      dependencies: [
        "Inputs", "Tokenization", "Imaging", "IngotFeatures", "Graph", "Trees", "Weights", "Files",
        "StrictJSON",
      ],
      swiftSettings: memorySettings),
    .target(
      name: "Calibration",
      dependencies: [
        "Inputs", "Execution", "WeightCompression", "IngotFeatures", "Graph", "Weights", "Files",
        "StrictJSON",
      ],
      swiftSettings: memorySettings),
    .target(
      name: "Formats",
      dependencies: [
        "WeightCompression", "Graph", "Tokenization", "Trees", "IngotFeatures", "Weights", "Files",
        "StrictJSON", protobuf,
      ],
      exclude: [
        "MLPackage/Messages/MIL.proto", "MLPackage/Messages/Model.proto",
        "MLPackage/Messages/Network.proto", "MLPackage/Messages/Tabular.proto",
      ],
      swiftSettings: memorySettings),
    .target(
      name: "Proving",
      dependencies: [
        "Calibration", "Gate", "Formats", "WeightCompression", "Graph", "Inputs",
        "Weights", "Files",
      ],
      swiftSettings: settings),
    .target(
      name: "Search",
      dependencies: [
        "Proving", "Calibration", "Gate", "Inputs", "Formats", "WeightCompression", "Graph",
        "Weights", "Files", "StrictJSON",
      ],
      swiftSettings: settings),
    .target(
      name: "Explanation",
      dependencies: [
        "Gate", "Inputs", "Formats", "WeightCompression", "Graph", "Weights", "Files", "StrictJSON",
      ],
      swiftSettings: settings),
    .target(
      name: "Reports",
      dependencies: [
        "Search", "Gate", "Inputs", "Formats", "WeightCompression", "Weights", "StrictJSON",
        mustache,
      ],
      swiftSettings: settings),
    .target(
      name: "Packaging",
      dependencies: [
        "Gate", "Inputs", "IngotTokenizers", "IngotFeatures", "Formats", "Graph", "Weights",
        "SelfTesting", "Zstd", "PackageNames",
        "Files", "StrictJSON", "CArchive", "CZstd", "CZlib",
      ],
      swiftSettings: memorySettings),
    .target(
      name: "Project",
      dependencies: [
        "Packaging", "Gate", "Inputs", "Formats", "Calibration", "WeightCompression", "Signatures",
        "Graph", "Weights", "SelfTesting", "PackageNames", "Files", "StrictJSON",
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: settings),
    .target(
      name: "Release",
      dependencies: [
        "Project", "Packaging", "Search", "Explanation", "Proving", "Gate", "Inputs", "Formats",
        "Calibration", "Execution", "WeightCompression", "Signatures", "Store", "Graph", "Weights",
        "IngotTokenizers", "IngotFeatures", "SelfTesting", "PackageNames", "Files", "StrictJSON",
      ],
      swiftSettings: settings),
    .target(
      name: "Updates",
      dependencies: [
        "Release", "Packaging", "Formats", "Signatures", "TUF", "Deltas", "Offers", "Zstd",
        "Weights",
        "PackageNames", "Files", "StrictJSON", crypto,
      ],
      swiftSettings: memorySettings),
    // For apps: it imports nothing of the tool but what is listed here.
    .target(
      name: "IngotClient",
      dependencies: [
        "TUF", "Offers", "Deltas", "SelfTesting", "IngotFeatures", "PackageNames", "Files",
        "StrictJSON",
      ],
      swiftSettings: settings),
    .target(
      name: "IngotURLSession", dependencies: ["IngotClient", "Files"], swiftSettings: settings),
    // Plays a device on this machine.
    .target(
      name: "ClientHost",
      dependencies: [
        "IngotClient", "SelfTesting", "Store", "Formats", "Execution", "Graph", "Weights", "Files",
        "StrictJSON", "CCurl",
      ],
      swiftSettings: memorySettings),
    .target(
      name: "Commands",
      dependencies: [
        "ClientHost", "IngotClient", "SelfTesting", "Updates", "TUF", "Offers", "Release",
        "Reports",
        "Search", "Explanation",
        "Project", "Packaging", "Proving", "Gate", "Inputs",
        "Formats",
        "Calibration", "Execution", "WeightCompression", "Signatures", "Store", "Tokenization",
        "ImageDecoding", "Graph", "IngotFeatures",
        "Weights", "PackageNames", "Files", "StrictJSON", argumentParser,
      ],
      swiftSettings: settings),
    .executableTarget(name: "ingot", dependencies: ["Commands"], swiftSettings: settings),

    .executableTarget(
      name: "ingot-bench",
      dependencies: ["Formats", "Inputs", "Execution", "Graph", "Weights", "Files"],
      path: "Benchmarks/IngotBench", swiftSettings: settings),
    .executableTarget(
      name: "ingot-device-bench",
      dependencies: ["Deltas", "Files"], path: "Benchmarks/IngotDeviceBench",
      swiftSettings: settings),
    // Two programs whose sizes are compared.
    .executableTarget(
      name: "client-size", dependencies: ["IngotClient", "IngotURLSession"],
      path: "Benchmarks/IngotClientSize", swiftSettings: settings),
    .executableTarget(
      name: "plain-size", path: "Benchmarks/PlainSize", swiftSettings: settings),
    .executableTarget(
      name: "ingot-simulate",
      dependencies: ["Updates", "Offers", "Deltas", "TUF", "PackageNames", "Files", "StrictJSON"],
      path: "Benchmarks/IngotSimulate", swiftSettings: settings),

    // C: small targets of our own (CCurl loads libcurl on demand), and the libraries Debian carries.
    .target(name: "CFiles"),
    .target(name: "CKernels"),
    .target(name: "CCurl"),
    .target(
      name: "CImages", linkerSettings: [.linkedLibrary("png"), .linkedLibrary("jpeg")]),
    .systemLibrary(name: "CDNNL", providers: [.apt(["libdnnl-dev"])]),
    .systemLibrary(
      name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // What several test targets need: folders, seeded numbers, the program as a process, servers, and
    // bytes of files and models made in code.
    .target(
      name: "TestSupport", dependencies: ["Files", "StrictJSON", "CZlib"],
      path: "Tests/TestSupport",
      swiftSettings: settings),
    // Weights, small models and pictures in memory, and references for them.
    .target(
      name: "ModelFixtures", dependencies: ["Inputs", "Graph", "Weights", "TestSupport"],
      path: "Tests/ModelFixtures", swiftSettings: settings),
    // A project of tiny models that builds at once.
    .target(
      name: "ProjectFixtures", dependencies: ["Project", "Weights", "Files", "TestSupport"],
      path: "Tests/ProjectFixtures", swiftSettings: settings),
    tests(of: "Files", ["TestSupport"]),
    tests(of: "StrictJSON", ["TestSupport"]),
    tests(of: "SelfTesting", ["StrictJSON"]),
    tests(of: "IngotFeatures", ["StrictJSON"]),
    // As an app sees the library.
    .testTarget(
      name: "IngotFeaturesAppTests", dependencies: ["IngotFeatures"], packageAccess: false,
      swiftSettings: plainTestSettings),
    tests(of: "Trees", ["IngotFeatures", "Files", "StrictJSON", "TestSupport"]),
    tests(of: "Weights", ["Files", "TestSupport"], optimised: true),
    tests(of: "TUF", ["Files", "StrictJSON", crypto]),
    tests(of: "Deltas", ["Updates", "Zstd", "Files", "TestSupport"]),
    tests(of: "Offers", ["PackageNames", "StrictJSON"]),
    tests(
      of: "IngotClient",
      [
        "Updates", "TUF", "Offers", "Deltas", "SelfTesting", "IngotFeatures", "PackageNames",
        "Files",
        "StrictJSON", "TestSupport", crypto,
      ]),
    tests(of: "ClientHost", ["IngotClient", "Offers", "TestSupport"]),
    // The three commands of tuf-conformance.
    .executableTarget(
      name: "ingot-tuf", dependencies: ["TUF"], path: "Tests/TUFClient", swiftSettings: settings),
    tests(of: "Signatures", ["Files", "StrictJSON", "TestSupport"]),
    tests(of: "Store", ["Weights", "Files", "StrictJSON", "TestSupport"]),
    tests(
      of: "Graph", ["IngotFeatures", "Weights", "StrictJSON", "ModelFixtures", "TestSupport"]),
    tests(of: "Tokenization", ["StrictJSON", "TestSupport"]),
    tests(of: "Imaging", ["ImageDecoding", "StrictJSON", "TestSupport"]),
    tests(
      of: "IngotTokenizers",
      [
        "Inputs", "Tokenization", "Imaging", "ImageDecoding", "IngotFeatures", "Execution", "Graph",
        "Weights", "StrictJSON", "ModelFixtures", "TestSupport", crypto,
      ]),
    // As an app sees the library: nothing that is not public.
    .testTarget(
      name: "IngotTokenizersAppTests", dependencies: ["IngotTokenizers", "IngotFeatures"],
      packageAccess: false, swiftSettings: plainTestSettings),
    tests(
      of: "Execution",
      ["Graph", "Weights", "Files", "CKernels", "ModelFixtures", "TestSupport"], optimised: true),
    tests(
      of: "WeightCompression", ["Graph", "Weights", "Files", "ModelFixtures", "TestSupport"],
      optimised: true),
    tests(
      of: "Inputs",
      [
        "IngotFeatures", "Graph", "Weights", "Files", "StrictJSON", "ModelFixtures", "TestSupport",
      ], optimised: true),
    tests(
      of: "Gate",
      [
        "Inputs", "Formats", "WeightCompression", "Graph", "Trees", "Weights", "Files",
        "StrictJSON",
        "ModelFixtures", "TestSupport",
      ], optimised: true),
    tests(
      of: "Calibration",
      [
        "Formats", "Inputs", "Execution", "WeightCompression", "Graph", "Weights", "Files",
        "StrictJSON", "ModelFixtures", "TestSupport",
      ], optimised: true),
    tests(
      of: "Formats",
      [
        "WeightCompression", "Graph", "Trees", "IngotFeatures", "Weights", "Files", "StrictJSON",
        "ModelFixtures", "TestSupport",
      ]),
    tests(
      of: "Proving",
      [
        "Formats", "Gate", "Inputs", "WeightCompression", "Graph", "Weights", "Files",
        "TestSupport",
      ]),
    tests(of: "Reports", ["Gate", "Inputs", "Weights", mustache]),
    tests(
      of: "Explanation",
      [
        "Formats", "Gate", "Inputs", "WeightCompression", "Graph", "Weights", "Files", "StrictJSON",
        "ModelFixtures", "TestSupport",
      ]),
    tests(
      of: "Search",
      [
        "Proving", "Formats", "Gate", "Inputs", "Calibration", "WeightCompression", "Graph",
        "Weights", "Files", "ModelFixtures", "TestSupport",
      ]),
    tests(
      of: "Packaging",
      [
        "Proving", "Gate", "Inputs", "Formats", "WeightCompression", "Graph", "Weights",
        "SelfTesting", "IngotFeatures", "Zstd", "PackageNames", "Files", "StrictJSON",
        "TestSupport",
      ]),
    tests(
      of: "Project",
      [
        "Packaging", "Weights", "Files", "StrictJSON", "ProjectFixtures", "TestSupport",
      ]),
    tests(
      of: "Release",
      [
        "ClientHost", "IngotClient", "SelfTesting", "IngotFeatures", "Project", "Packaging",
        "Formats",
        "WeightCompression", "Signatures", "Store", "Graph",
        "Gate", "Inputs", "Weights", "PackageNames", "Files", "StrictJSON", "ModelFixtures",
        "ProjectFixtures", "TestSupport",
      ]),
    tests(of: "Commands", ["TestSupport"], optimised: true),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "Release", "Project", "Packaging", "Formats", "WeightCompression", "Gate", "Inputs",
        "Tokenization", "Imaging", "ImageDecoding", "Signatures", "Store", "Graph", "Weights",
        "Updates", "TUF", "Trees",
        "Deltas", "Offers", "PackageNames", "IngotFeatures", "StrictJSON", "Files", "CZstd",
        "ModelFixtures", "TestSupport", crypto,
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "InteropTests",
      dependencies: [
        "Release", "Project", "Packaging", "Formats", "Gate", "Inputs", "Execution",
        "WeightCompression", "Tokenization", "Imaging", "Graph", "Trees", "Weights", "Updates",
        "IngotClient", "IngotURLSession", "TUF", "Offers", "PackageNames", "Files", "StrictJSON",
        "TestSupport", crypto, "ImageDecoding", "IngotTokenizers", "IngotFeatures",
      ],
      exclude: ["Fixtures"], swiftSettings: testSettings),
  ]
)
