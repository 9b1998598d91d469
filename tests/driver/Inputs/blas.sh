# Verifies einsums with --library blas and what flags there are besides.
count=0
for einsum in mk,kn-\>mn km,kn-\>mn mk,nk-\>mn km,nk-\>mn mk,kn-\>nm km,nk-\>nm bmk,bkn-\>bmn mbk,bkn-\>bmn \
              mk,k-\>m km,k-\>m k,kn-\>n k,k-\> bk,bk-\>b mkj,kjn-\>mn abk,kn-\>abn; do
  einc verify -e "$einsum" --library blas "$@" --dtype f64 | grep -q ': ok' || echo "$einsum FAILED"
  count=$((count + 1))
done
einc verify -e 'mk,kn->mn' --library blas "$@" --sizes m=0,k=3,n=4 | grep -q ': ok' || echo "empty FAILED"
einc verify -e 'mk,kn->mn' --library blas "$@" --sizes m=2,k=0,n=4 | grep -q ': ok' || echo "empty sum FAILED"
count=$((count + 1))
echo "checked $count programs"
