import ArgumentParser

/// What the models of a new project are.
enum StarterTemplate: String, ExpressibleByArgument, CaseIterable {
  case layers, tabular

  /// Every file, the project file first.
  var files: [StarterFile] {
    switch self {
    case .layers: StarterProject.files
    case .tabular: StarterProject.forestFiles
    }
  }
}
