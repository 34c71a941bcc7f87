// swift-tools-version: 6.2
import PackageDescription

// Continuous integration sets CI and turns every warning into an error; a user's build never breaks over a newer
// compiler's new warning.
let strict: [SwiftSetting] = Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

func room(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let programRooms: [Target.Dependency] = ["CrawlKit", "CrawlCore", "CrawlJSON", "CrawlHTTP", "CrawlStore", "StandInAPI"]
let fuzzed: [Target.Dependency] = [
    "crawl", "CrawlKit", "CrawlHTTP", "CrawlJSON", "CSimdJSON", "CrawlCore", "StandInAPI",
]

// A build for the address sanitizer looks for leaks before it ends; `.ci/sanitize` sets the variable.
let program: [SwiftSetting] = Context.environment["CRAWL_SANITIZER"] == "address" ? [.define("LEAK_CHECK")] : []

let package = Package(
    name: "crawl",
    products: [
        .executable(name: "crawl", targets: ["crawl"]),
        .library(name: "CrawlKit", targets: ["CrawlKit"]),
        .executable(name: "crawl-bench", targets: ["crawl-bench"]),
    ],
    targets: [
        // The C libraries, each behind a module map and a shim header.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev", "zlib1g-dev", "libbrotli-dev"])]),
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .target(
            name: "CSimdJSON",
            linkerSettings: [.linkedLibrary("simdjson")]),

        // The rooms; each imports only what stands above it.
        room("CrawlCore", []),
        room("CrawlJSON", ["CSimdJSON", "CrawlCore"]),
        room("CrawlHTTP", ["CCurl", "CrawlCore"]),
        room("CrawlStore", ["CSQLite", "CrawlCore", "CrawlJSON"]),
        room("StandInAPI", ["CMicroHTTPD", "CrawlCore"]),
        room(
            "CrawlKit", ["CrawlCore", "CrawlJSON", "CrawlHTTP", "CrawlStore", "StandInAPI"],
            resources: [.embedInCode("Sources")]),
        .executableTarget(
            name: "crawl", dependencies: programRooms, swiftSettings: strict + program),

        // The benchmarks, and the floor that they compare with; `crawl` so that it is built before it is measured.
        .target(
            name: "CBenchFloor", dependencies: ["CSQLite", "CCurl"],
            linkerSettings: [.linkedLibrary("simdjson")]),
        .executableTarget(
            name: "crawl-bench", dependencies: ["crawl", "CBenchFloor", "CSQLite", "CrawlCore", "StandInAPI"],
            swiftSettings: strict),

        // What the tests share; then one test target a room, and the whole program from outside.
        .target(name: "TestSupport", dependencies: ["CrawlCore"], path: "Tests/TestSupport", swiftSettings: strict),
        tests("CrawlCoreTests", ["CrawlCore", "TestSupport"]),
        tests("CrawlJSONTests", ["CrawlJSON", "CrawlCore", "TestSupport"]),
        tests("CrawlHTTPTests", ["CrawlHTTP", "CrawlCore", "TestSupport"]),
        tests("CrawlStoreTests", ["CrawlStore", "CrawlJSON", "CrawlCore", "CSQLite", "TestSupport"]),
        tests("StandInAPITests", ["StandInAPI", "CrawlCore", "TestSupport"]),
        tests("CrawlKitTests", ["CrawlKit", "CrawlCore", "TestSupport"]),
        tests("CommandTests", ["crawl", "CrawlCore", "TestSupport"], exclude: ["Snapshots"]),
        tests("EndToEndTests", ["crawl", "CrawlCore", "StandInAPI", "TestSupport"], exclude: ["Snapshots"]),
        tests(
            "CrashTests",
            ["crawl", "CrawlKit", "CrawlStore", "CrawlCore", "CSQLite", "StandInAPI", "TestSupport"]),
        .testTarget(
            name: "FuzzTests", dependencies: fuzzed, path: "Tests/Fuzz",
            exclude: ["Corpus", "Driver", "run", "words.dict"], swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)

// For Tests/Fuzz/run the package is another one: libFuzzer brings a `main` of its own, so that the program is built
// without its main.swift, and `crawl-fuzz` takes the place of the tests.
if Context.environment["CRAWL_FUZZ"] != nil {
    package.products = []
    package.targets.removeAll { $0.type == .test || $0.type == .executable }
    package.targets += [
        .target(
            name: "crawl", dependencies: programRooms, exclude: ["main.swift"]),
        .executableTarget(
            name: "crawl-fuzz", dependencies: fuzzed, path: "Tests/Fuzz",
            exclude: ["Corpus", "Replay", "run", "words.dict"]),
    ]
}
