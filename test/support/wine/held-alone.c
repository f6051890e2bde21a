/* Opens a file with no sharing at all, as some tools hold their log; says so, and lets go when its input ends. */
#include <stdio.h>
#include <windows.h>
int main(int argc, char **argv) {
  HANDLE file = INVALID_HANDLE_VALUE;
  if (argc != 3) return 2;
  /* While another program has it open, it cannot be had alone. */
  for (int tries = 0; tries < 600 && file == INVALID_HANDLE_VALUE; tries++) {
    file = CreateFileA(argv[1], GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) Sleep(50);
  }
  if (file == INVALID_HANDLE_VALUE) return 1;
  /* That it holds is told by a file: Wine loses the output of a program that writes into a pipe. */
  CloseHandle(CreateFileA(argv[2], GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL));
  while (GetFileAttributesA(argv[2]) != INVALID_FILE_ATTRIBUTES) Sleep(50);
  CloseHandle(file);
  return 0;
}
