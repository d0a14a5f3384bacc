#include "url.hpp"

#include <gtest/gtest.h>

namespace runai {
namespace {

TEST(Url, IsReadInItsParts) {
  const auto url = parse_url("https://tenant.run.ai:8443/base/");
  ASSERT_TRUE(url);
  EXPECT_TRUE(url->is_tls);
  EXPECT_EQ(url->host, "tenant.run.ai");
  EXPECT_EQ(url->port, "8443");
  EXPECT_EQ(url->path, "/base");
  EXPECT_EQ(to_text(*url), "https://tenant.run.ai:8443/base");
}

TEST(Url, HasTheUsualPortUnlessItNamesOne) {
  EXPECT_EQ(parse_url("https://a")->port, "443");
  EXPECT_EQ(parse_url("http://a/")->port, "80");
  EXPECT_EQ(authority(*parse_url("http://a:80")), "a");
  EXPECT_EQ(authority(*parse_url("https://a:80")), "a:80");
  EXPECT_EQ(authority(*parse_url("https://[::1]:80")), "[::1]:80");
}

TEST(Url, ThatIsNoneIsRefused) {
  for (const char* text :
       {"", "tenant.run.ai", "ftp://a", "https://", "https://:443", "https://a:b", "https://a:123456",
        "https://user:word@a", "https://a/?q", "https://a b", "https://[::1", "https://a\n"}) {
    EXPECT_FALSE(parse_url(text)) << text;
  }
}

TEST(Url, OfADomainMayLackTheScheme) {
  EXPECT_EQ(to_text(*parse_domain("my.company.com")), "https://my.company.com");
  EXPECT_EQ(to_text(*parse_domain("my.company.com/")), "https://my.company.com");
  EXPECT_EQ(to_text(*parse_domain("https://my.company.com//")), "https://my.company.com");
  EXPECT_FALSE(parse_domain(""));
}

TEST(Url, TellsWhatStaysOnThisMachine) {
  EXPECT_TRUE(is_loopback(*parse_url("http://127.0.0.1:80")));
  EXPECT_TRUE(is_loopback(*parse_url("http://[::1]:80")));
  EXPECT_TRUE(is_loopback(*parse_url("http://localhost")));
  EXPECT_FALSE(is_loopback(*parse_url("http://127.0.0.1.example.com")));
  EXPECT_FALSE(is_loopback(*parse_url("http://localhost.example.com")));
}

TEST(Url, ValuesAreEncoded) {
  EXPECT_EQ(percent_encoded("name=^a-b_c.d~,x==1 ü"), "name%3D%5Ea-b_c.d~%2Cx%3D%3D1%20%C3%BC");
}

}  // namespace
}  // namespace runai
