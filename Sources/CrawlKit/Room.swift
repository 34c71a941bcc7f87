import CSimdJSON
import FoundationEssentials
package func v() -> String { String(cString: csj_version()) + String(decoding: PackageResources.users_json, as: UTF8.self) + Date().formatted(.iso8601) }
