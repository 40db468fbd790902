import Packaging

/// Checks whether a project and its customers go together.
struct AssignmentCheck {
  let project: ProjectDraft
  let log: ContractSection.Log

  /// Notes every fault that only both together have.
  ///
  /// - Returns: the customers with the flows that can be planned; all of them when nothing was
  ///   faulty.
  func sound(of list: CustomerList) -> CustomerList {
    var placeOfModel: [String: Located<String>] = [:]
    for model in project.models {
      placeOfModel[(model.family ?? model.name.value).lowercased()] = model.name
    }
    let customers = list.customers.map { customer in
      let flows = sound(customer.flows, placeOfModel)
      if isEmpty(customer) {
        log.faults.add(
          .noModels, customer.place, "customer '\(customer.app.id)' would get no models",
          hint: "give it custom models, or remove it from the list")
      }
      return Customer(app: customer.app, place: customer.place, flows: flows)
    }
    return CustomerList(customers: customers, strayFlows: sound(list.strayFlows, placeOfModel))
  }

  private func isEmpty(_ customer: Customer) -> Bool {
    customer.flows.isEmpty && customer.hasAllFlows && !project.hasModels
  }

  private func sound(
    _ flows: [Flow], _ placeOfModel: [String: Located<String>]
  ) -> [Flow] {
    guard let first = flows.first else { return [] }
    guard project.hasCustomModels else {
      log.faults.add(
        .flowWithoutEntry, first.place,
        "flow '\(first.name)' is a custom model, the project has no 'customModels'",
        hint: "add 'customModels' to \(project.file)")
      return []
    }
    return flows.filter { flow in
      guard let model = placeOfModel[flow.name] else { return true }
      log.faults.add(
        .flowNamedLikeModel, flow.place,
        "flow '\(flow.name)' is called like the shared model '\(model.value)'",
        hint: "rename the model at \(model.place)")
      return false
    }
  }
}
