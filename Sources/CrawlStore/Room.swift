import CSQLite
package enum CrawlStoreRoom {}
