int count(const int *a, int n, int k) {
  int s = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > k)
      s++;
  return s;
}

float sum(const float *a, int n) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

void prefix(int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    a[i] = s;
  }
}
