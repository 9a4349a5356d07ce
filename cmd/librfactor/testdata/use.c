/* Calls the library from several threads, and cancels a call. */
#include "../rfactor.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int failed;

static void expect(int ok, const char *what) {
  if (!ok) { printf("FAILED: %s\n", what); failed = 1; }
}

static void ask(int (*f)(const char *, size_t, rfactor_token, char **, size_t *), const char *request, int code, const char *want) {
  char *answer; size_t n;
  int got = f(request, strlen(request), 0, &answer, &n);
  if (got != code || strlen(answer) != n || !strstr(answer, want)) { printf("FAILED: %s: %d %s\n", request, got, answer); failed = 1; }
  rfactor_free(answer);
}

static void *many(void *unused) {
  for (int i = 0; i < 20; i++) {
    ask(rfactor_match, "{\"types\":\"x0:i32,y0:i32\",\"update\":\"select(y0 > 9, x0 + 1, x0)\"}", RFACTOR_OK, "\"status\":\"associative\"");
    ask(rfactor_check, "{\"types\":\"x:i32,y:i32\",\"operator\":\"max(x, y)\",\"identity\":\"0\"}", RFACTOR_OK, "\"side\":\"none\"");
  }
  return unused;
}

static rfactor_token token;
static void *canceller(void *unused) { usleep(20000); rfactor_cancel(token); return unused; }

int main(void) {
  expect(rfactor_abi_version() == RFACTOR_ABI_VERSION, "the version of the interface");
  ask(rfactor_match, "{", RFACTOR_INPUT, "\"error\":");
  ask(rfactor_llvm, "{\"text\":\"define i32 @minus(i32 %x, i32 %y) {\\n  %z = sub i32 %x, %y\\n  ret i32 %z\\n}\\n\"}", RFACTOR_OK, "\"kind\":\"operator\"");
  ask(rfactor_verify, "{\"answer\":{}}", RFACTOR_OK, "\"holds\":false");
  pthread_t threads[4], other;
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, many, 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  token = rfactor_token_new();
  rfactor_cancel(token);
  char *answer; size_t n;
  const char *request = "{\"types\":\"x0:i32,y0:i32\",\"update\":\"x0 + y0\"}";
  expect(rfactor_match(request, strlen(request), token, &answer, &n) == RFACTOR_CANCELLED, "a call whose token is cancelled");
  rfactor_free(answer);
  rfactor_token_free(token);
  token = rfactor_token_new();
  pthread_create(&other, 0, canceller, 0);
  request = "{\"types\":\"x0:f64,x1:f64,x2:f64,x3:f64,y0:f64,y1:f64\",\"update\":\"x0*x1 + x2*y0; x1*x2 + x3*y1; x2*x3 + x0*y0; x3*x0 + x1*y1\",\"effort\":600000}";
  int code = rfactor_match(request, strlen(request), token, &answer, &n);
  expect(code == RFACTOR_CANCELLED || code == RFACTOR_OK, "a call that is cancelled while it runs");
  rfactor_free(answer);
  pthread_join(other, 0);
  rfactor_token_free(token);
  rfactor_cancel(token);
  if (!failed) puts("ok");
  return failed;
}
