#include "cloudai/shell_text.hpp"

#include <gtest/gtest.h>

namespace cloudai {
namespace {

TEST(LiteralWord, IsBareOnlyWhereNothingIsSpecial) {
  EXPECT_EQ(literal_word("all_reduce_perf_mpi"), "all_reduce_perf_mpi");
  EXPECT_EQ(literal_word("--minbytes=32M"), "--minbytes=32M");
  EXPECT_EQ(literal_word("nvcr.io#nvidia/pytorch:24.02-py3"), "nvcr.io#nvidia/pytorch:24.02-py3");
  EXPECT_EQ(literal_word("#1"), "'#1'");
  EXPECT_EQ(literal_word(""), "''");
  EXPECT_EQ(literal_word("two words"), "'two words'");
  EXPECT_EQ(literal_word("~"), "'~'");
  EXPECT_EQ(literal_word("{a,b}"), "'{a,b}'");
  EXPECT_EQ(literal_word("it's"), "'it'\\''s'");
  EXPECT_EQ(literal_word("a\nb"), "'a\nb'");
  EXPECT_EQ(literal_word("größe"), "'größe'");
}

TEST(ExpandingWord, KeepsExpansions) {
  EXPECT_EQ(expanding_word(R"t($HOME/a ${USER}b $(date -u '+%F )' "$(id)")!)t"),
            R"t("$HOME/a ${USER}b $(date -u '+%F )' "$(id)")!")t");
  EXPECT_EQ(expanding_word(R"t($(scontrol show hostname "$SLURM_JOB_NODELIST" | head -n1))t"),
            R"t("$(scontrol show hostname "$SLURM_JOB_NODELIST" | head -n1)")t");
  EXPECT_EQ(expanding_word(R"t($(a (b) \) c)d)t"), R"t("$(a (b) \) c)d")t");
}

TEST(ExpandingWord, MakesEverythingElseLiteral) {
  EXPECT_EQ(expanding_word(R"t(say "hi" it's)t"), R"t("say \"hi\" it's")t");
  EXPECT_EQ(expanding_word(R"t(C:\temp\x)t"), R"t("C:\\temp\\x")t");
  EXPECT_EQ(expanding_word("`id`"), R"t("\`id\`")t");
  EXPECT_EQ(expanding_word(R"t(\$HOME)t"), R"t("\$HOME")t");
  EXPECT_EQ(expanding_word("100$ $5 $$ ${a:-b} $"), R"t("100\$ \$5 \$\$ \${a:-b} \$")t");
  EXPECT_EQ(expanding_word(""), R"t("")t");
}

TEST(ExpandingWord, TakesACommandThatIsNotClosedLiterally) {
  EXPECT_EQ(expanding_word("$(echo"), R"t("\$(echo")t");
  EXPECT_EQ(expanding_word("$(echo ')"), R"t("\$(echo ')")t");
  EXPECT_EQ(expanding_word(R"t($(echo "))t"), R"t("\$(echo \")")t");
  EXPECT_EQ(expanding_word(R"t($(echo \)t"), R"t("\$(echo \\")t");
}

TEST(RunsACommand, IsTrueForAClosedCommandAlone) {
  EXPECT_TRUE(runs_a_command("a$(b)"));
  EXPECT_FALSE(runs_a_command(R"t(a\$(b))t"));
  EXPECT_FALSE(runs_a_command("$(b"));
  EXPECT_FALSE(runs_a_command("$HOME"));
}

TEST(OneLine, ReplacesControlCharacters) {
  EXPECT_EQ(one_line("a\nb\tc\x7f"), "a b c ");
}

}  // namespace
}  // namespace cloudai
