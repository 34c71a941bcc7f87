import CSimdJSON
package enum CrawlJSONRoom {}
