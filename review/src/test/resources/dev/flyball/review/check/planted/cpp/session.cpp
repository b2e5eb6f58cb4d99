#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <sqlite3.h>
#include <unistd.h>

namespace portal {

constexpr const char *kTable = "sessions";

struct Request {
  std::map<std::string, std::string> query;
  std::string param(const std::string &name) const {
    auto found = query.find(name);
    return found == query.end() ? std::string() : found->second;
  }
};

class Sessions {
 public:
  explicit Sessions(sqlite3 *db) : db_(db) {}

  int byUser(const std::string &user) {
    return exec("SELECT * FROM sessions WHERE user = '" + user + "'");
  }

  int all() {
    return exec(std::string("SELECT * FROM ") + kTable);
  }

  int search(const std::vector<std::string> &words) {
    std::ostringstream sql;
    sql << "SELECT * FROM sessions WHERE 1 = 1";
    for (const auto &word : words) {
      sql << " AND agent LIKE '%" << word << "%'";
    }
    return sqlite3_exec(db_, sql.str().c_str(), nullptr, nullptr, nullptr);
  }

  int expire(long before, const std::string &zone) {
    std::string sql{"DELETE FROM sessions WHERE touched < "};
    sql.append(std::to_string(before)).append(" AND zone = '");
    sql += zone;
    sql += "'";
    return exec(sql);
  }

  int touch(const std::string &user) {
    sqlite3_stmt *statement = nullptr;
    int code = sqlite3_prepare_v2(db_, "UPDATE sessions SET touched = 1 WHERE user = ?1", -1,
                                  &statement, nullptr);
    if (code == SQLITE_OK) {
      code = sqlite3_bind_text(statement, 1, user.c_str(), -1, SQLITE_TRANSIENT);
    }
    sqlite3_finalize(statement);
    return code;
  }

  std::string token() const {
    std::string out;
    for (int i = 0; i < 32; ++i) {
      out += static_cast<char>('a' + std::rand() % 26);
    }
    return out;
  }

  std::string resetCode() const {
    std::mt19937 engine(static_cast<unsigned>(std::time(nullptr)));
    std::uniform_int_distribution<int> digits(100000, 999999);
    return std::to_string(digits(engine));
  }

  std::string key() const {
    std::random_device device;
    std::string out(32, '\0');
    std::generate(out.begin(), out.end(), [&device] { return static_cast<char>(device()); });
    return out;
  }

  template <typename T>
  void shuffle(std::vector<T> &list) const {
    std::mt19937 engine(7);
    std::shuffle(list.begin(), list.end(), engine);
  }

 private:
  int exec(const std::string &sql) { return sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr); }

  sqlite3 *db_;
};

std::string page(const Request &request) {
  std::ifstream in("/srv/pages/" + request.param("name"));
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string setting() {
  std::ifstream in("/etc/portal/portal.conf");
  std::string line;
  std::getline(in, line);
  return line;
}

int convert(const Request &request) {
  const auto command = "convert " + request.param("file") + " out.png";
  return std::system(command.c_str());
}

int rotate() {
  return ::system("logrotate /etc/logrotate.d/portal");
}

std::function<FILE *(const std::string &)> opener() {
  return [](const std::string &tool) {
    std::stringstream line;
    line << tool << " --version 2>&1";
    return ::popen(line.str().data(), "r");
  };
}

void greet(char *out, const std::string &name) {
  std::strcpy(out, name.c_str());
}

void describe(const Request &request, char (&out)[64]) {
  using namespace std;
  sprintf(out, "%s from %s", request.param("user").c_str(), request.param("host").c_str());
  std::snprintf(out, sizeof out, "%s", request.param("user").c_str());
}

void ask(char *name) {
  char word[16];
  std::cin >> word;
  std::string line;
  std::cin >> line;
  std::strncpy(name, line.data(), line.size());
}

void report(const std::string &message) {
  std::printf(message.c_str());
  std::printf("%s\n", message.c_str());
  std::fprintf(stderr, (message + "\n").data());
}

}  // namespace portal
