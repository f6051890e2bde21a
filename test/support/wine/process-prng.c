/* bcryptprimitives.dll has one function that programs in Rust take from it, and Wine 8 has no such library. */
#include <stddef.h>
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *to, unsigned long bytes);
__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *to, size_t bytes) {
  return SystemFunction036(to, (unsigned long)bytes);
}
