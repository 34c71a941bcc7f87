/// A command of the command line, declared as data: its words for people and what it takes.
///
/// The parser, the help texts and the completion scripts are all made from it.
struct CommandSpecification: Sendable {
    /// The word that calls the command; the program's name for the root.
    var name: String
    /// One sentence for the overview and for the list of subcommands.
    var abstract: String
    /// More for the overview, with examples; lines are wrapped, line breaks kept.
    var discussion = ""
    /// The usage lines where the generated one would mislead; each line begins with the program's name.
    var usage: String?
    /// What `--version` prints; empty below the root, which inherits it.
    var version = ""
    /// Flags, options and positional arguments in the order of the help text.
    var arguments: [ArgumentSpecification] = []
    /// Groups of flags of which only one may be given, each by the flags' long names.
    var exclusiveFlags: [[String]] = []
    /// The commands below this one.
    var subcommands: [CommandSpecification] = []

    /// The flags and options.
    var options: [ArgumentSpecification] {
        arguments.filter { $0.kind != .positional }
    }

    /// The positional arguments, in order.
    var positionals: [ArgumentSpecification] {
        arguments.filter { $0.kind == .positional }
    }

    /// The subcommand of that name.
    func subcommand(named name: String) -> CommandSpecification? {
        subcommands.first { $0.name == name }
    }

    /// The flag or option with that name, given with its dashes.
    func option(spelled spelling: String) -> ArgumentSpecification? {
        options.first { $0.spellings.contains(spelling) }
    }
}
