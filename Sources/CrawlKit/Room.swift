package enum CrawlKitRoom {}
