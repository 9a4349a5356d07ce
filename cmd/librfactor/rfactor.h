/* librfactor: reductions and operators for compilers that are not written in Go.
 *
 * A request is JSON, and so is the answer: docs/howto/embed-c.md has both. All functions may be called from several threads at once.
 * The library starts Go's runtime when it is loaded, and must not be unloaded. */
#ifndef RFACTOR_H
#define RFACTOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What this header describes. A library of another version must not be used. */
#define RFACTOR_ABI_VERSION 1
int rfactor_abi_version(void);

enum {
  RFACTOR_OK = 0,        /* the answer is that of the method */
  RFACTOR_INPUT = 1,     /* the request is wrong: the answer is {"error": "…"} */
  RFACTOR_CANCELLED = 2, /* likewise */
  RFACTOR_INTERNAL = 3   /* an invariant of the library is broken: likewise */
};

/* A token lets another thread cancel calls that it is given to; 0 is none. */
typedef uint64_t rfactor_token;
rfactor_token rfactor_token_new(void);
void rfactor_cancel(rfactor_token token);
void rfactor_token_free(rfactor_token token);

/* Each takes n bytes of JSON, and writes where an answer of *answer_n bytes is, with a 0 behind it. rfactor_free takes it back. */
int rfactor_match(const char *request, size_t n, rfactor_token token, char **answer, size_t *answer_n);
int rfactor_check(const char *request, size_t n, rfactor_token token, char **answer, size_t *answer_n);
int rfactor_llvm(const char *request, size_t n, rfactor_token token, char **answer, size_t *answer_n);
int rfactor_verify(const char *request, size_t n, rfactor_token token, char **answer, size_t *answer_n);
void rfactor_free(char *answer);

#ifdef __cplusplus
}
#endif

#endif
