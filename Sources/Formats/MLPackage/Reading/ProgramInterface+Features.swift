import Graph
import IngotFeatures
import StrictJSON

// What a package's features are.
extension ProgramInterface {
  /// The schema that Ingot notes in a package whose features are more than numbers; nil of another.
  ///
  /// - Parameter count: numbers that the program takes.
  func schema(_ count: Int) throws(GraphError) -> FeatureSchema? {
    let key = CoreMLPackage.featuresKey
    guard let text = description.metadata.userDefined[key] else { return nil }
    let schema: FeatureSchema
    do throws(FeatureError) {
      schema = try FeatureSchema(json: Array(text.utf8))
    } catch {
      throw ProgramInterface.fault(description.input[0].name, "has '\(key)': \(error.description)")
    }
    guard schema.columnCount == count else {
      throw ProgramInterface.fault(
        description.input[0].name,
        "takes \(Figures.count(count, "number")), the features of '\(key)' are \(schema.columnCount)"
      )
    }
    return schema
  }
}
