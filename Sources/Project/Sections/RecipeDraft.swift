/// The sound parts of a recipe that may have faults.
struct RecipeDraft {
  let source: Located<PathPattern>?
  let references: Located<PathPattern>?
  /// The recipe; nil when its source or its references are faulty. A part that is faulty otherwise
  /// is replaced by one that asks for least, so that all else can be looked at.
  let recipe: ModelRecipe?
}
