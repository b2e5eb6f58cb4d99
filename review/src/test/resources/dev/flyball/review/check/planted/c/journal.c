#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <openssl/evp.h>
#include <openssl/md5.h>
#include <openssl/ssl.h>
#include <libxml/parser.h>
#include <sqlite3.h>

struct entry {
  int64_t id;
  size_t length;
  char *text;
};

static char last_error[64];

char *gets(char *line);

static int note(const char *what) {
  return snprintf(last_error, sizeof last_error, "%s: %s", what, strerror(errno));
}

int journal_prompt(char *line) {
  return gets(line) != NULL;
}

int journal_prompt_line(char *line, int size) {
  return fgets(line, size, stdin) != NULL;
}

int journal_find(sqlite3 *db, const char *author, int (*row)(void *, int, char **, char **)) {
  char statement[512];
  sprintf(statement, "SELECT * FROM entries WHERE author = '%s'", author);
  return sqlite3_exec(db, statement, row, NULL, NULL);
}

int journal_delete(sqlite3 *db, const char *author) {
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2(db, "DELETE FROM entries WHERE author = ?1", -1, &statement, NULL);
  if (code == SQLITE_OK) {
    code = sqlite3_bind_text(statement, 1, author, -1, SQLITE_TRANSIENT);
  }
  if (code == SQLITE_OK) {
    code = sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return code;
}

int journal_order(sqlite3 *db, const char *column, sqlite3_stmt **statement) {
  char *text = sqlite3_mprintf("SELECT * FROM entries ORDER BY %s", column);
  int code = sqlite3_prepare_v2(db, text, -1, statement, 0);
  sqlite3_free(text);
  return code;
}

long journal_size(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    return note("open");
  }
  if (fseek(file, 0, SEEK_END) != 0) {
    return note("seek");
  }
  return ftell(file);
}

long journal_length(const char *path) {
  struct stat status;
  int descriptor = open(path, O_RDONLY);
  if (descriptor < 0) {
    return note("open");
  }
  long length = fstat(descriptor, &status) == 0 ? (long)status.st_size : -1;
  close(descriptor);
  return length;
}

int journal_count(const char *folder) {
  int count = 0;
  DIR *entries = opendir(folder);
  while (entries != NULL && readdir(entries) != NULL) {
    count++;
  }
  return count;
}

struct entry *journal_read(FILE *file) {
  struct entry *entry = malloc(sizeof *entry);
  fread(entry, sizeof *entry, 1, file);
  entry->text = calloc(1, entry->length + 1);
  return entry;
}

bool journal_read_into(FILE *file, struct entry *entry) {
  return fread(entry, sizeof *entry, 1, file) == 1;
}

void journal_grow(struct entry *entry, size_t length) {
  entry->text = realloc(entry->text, length);
  entry->length = length;
}

int journal_drop_rights(uid_t user) {
  setuid(user);
  return chdir("/");
}

int journal_reset(const char *path) {
  (void)unlink(path);
  return open(path, O_CREAT | O_WRONLY | O_EXCL, 0600);
}

char *journal_open_page(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "/srv/journal/%s", getenv("QUERY_STRING"));
  FILE *page = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  if (page != NULL) {
    if (getline(&line, &room, page) < 0) {
      note(name);
    }
    fclose(page);
  }
  return line;
}

int journal_open_argument(int count, char **arguments) {
  for (int i = 1; i < count; i++) {
    if (arguments[i][0] == '-') {
      continue;
    }
    return open(arguments[i], O_RDONLY);
  }
  return -1;
}

const struct entry *journal_first(const struct entry *entries, size_t number) {
  for (size_t i = 0; i < number; i++) {
    return &entries[i];
  }
  return NULL;
}

const struct entry *journal_last(const struct entry *entries, size_t number) {
  size_t i = number;
  while (i-- > 0); {
    if (entries[i].text != NULL) {
      return &entries[i];
    }
  }
  return NULL;
}

int journal_check(struct entry *entry) {
  if (entry->length = 0) {
    return -1;
  }
  return entry->id < 0 ? -1 : 0;
}

int journal_next(FILE *file) {
  int letter;
  while ((letter = fgetc(file)) != EOF) {
    if (letter == '\n') {
      return 1;
    }
  }
  return 0;
}

void journal_password(const char *password, unsigned char out[16]) {
  MD5((const unsigned char *)password, strlen(password), out);
}

const EVP_CIPHER *journal_cipher(bool old) {
  return old ? EVP_des_ede3_cbc() : EVP_aes_256_gcm();
}

void journal_tls(SSL_CTX *context) {
  SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
}

void journal_tls_strict(SSL_CTX *context) {
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
}

xmlDocPtr journal_import(const char *path) {
  return xmlReadFile(path, NULL, XML_PARSE_NOENT | XML_PARSE_DTDLOAD);
}

xmlDocPtr journal_import_safely(const char *path) {
  return xmlReadFile(path, NULL, XML_PARSE_NONET);
}

char *journal_title(const struct entry *entry) {
  char title[32];
  snprintf(title, sizeof title, "entry %lld", (long long)entry->id);
  return title;
}

void journal_free(struct entry *entry) {
  free(entry);
  free(entry->text);
}

void journal_clear(struct entry *entry) {
  memset(entry, 0, sizeof(entry));
  memset(last_error, 0, sizeof(last_error));
}
